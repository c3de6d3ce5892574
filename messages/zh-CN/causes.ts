import type en from "../en/causes.ts";
import type { Translated } from "../translated.ts";

export default {
  "endpoint.failing": "Webhook 端点 {endpoint} 投递失败{count, plural, =1 {} other {（# 次）}}",
  "endpoint.failingAdvice":
    "已连续失败 {failures, number} 次。投递会自动重试；如果连续多日失败，端点会自动停用。",
  "endpoint.disabled": "Webhook 端点 {endpoint} 已停用",
  "endpoint.disabledAdvice":
    "{reason, select, failing {长时间内所有尝试均失败。} gone {接收方表示端点已永久失效。} stopped {接收方要求不再投递。} manual {有人停用了该端点。} other {}}事件正在等待投递。请修复接收方，然后启用端点并重新发送错过的事件。",
  "endpoint.recovered": "Webhook 端点 {endpoint} 已恢复",
  "endpoint.recoveredAdvice": "此前投递失败，现在已有一次投递成功。你可以在端点页面重新发送错过的事件。",
  "delivery.exhausted": "{count, number} 个事件未能投递到 {endpoint}",
  "delivery.exhaustedAdvice":
    "所有尝试均失败{has_error, select, yes {，最后一次的原因：{why}} other {}}。系统不会再自动发送，请手动重试。",
  "callbacks.requeued": "发往 {address} 的回调正在重新发送",
  "callbacks.requeuedAdvice": "旧版本曾取消等待中的回调。每个回调都会作为新的投递再发送一次。",
  "copy.exhausted": "{count, number} 个文件未能复制到“{name}”",
  "copy.exhaustedAdvice": "{message} 系统不会再自动尝试，请在文件移除之前手动重试。",
  "budget.threshold":
    "{has_name, select, yes {“{name}”} other {{has_holder, select, yes {{holder} } other {此账户}}}}的预算已用 {percent}%",
  "budget.thresholdAdvice":
    "已用 {spent} {currency}，共 {amount} {currency}。如果设置的是上限而非提醒额，用完后的请求会被拒绝。",
  "task.refused": "“{connection}”的运行被拒绝{count, plural, =1 {} other {（# 次）}}：任务“{value}”已达上限",
  "task.refusedAdvice":
    "{has_amount, select, yes {已用 {spent} {currency}，上限 {amount} {currency}。} other {}}{has_max_runs, select, yes {已运行 {runs} 次，上限 {max_runs} 次。} other {}}如果允许该任务继续，请提高上限。",
  "guard.failing": "此账户的护栏出现故障（{host}）",
  "guard.failingAdvice":
    "{reason} 在护栏恢复之前，{on_error, select, allow {运行会在未经检查的情况下继续} other {运行会被拒绝}}。",
  "guard.recovered": "此账户的护栏已恢复（{host}）",
  "guard.recoveredAdvice": "护栏最近一次的响应有效。",
  "outputs.expiring": "{predictions, number} 个预测任务的输出即将移除",
  "outputs.expiringAdvice": "最早的将于 {from} 移除。请下载需要保留的内容。",
  "share.reported": "{model} 生成的一个分享文件被举报{count, plural, =1 {} other {（# 次）}}",
  "share.reportedAdvice": "原因：“{report}”。尚未移除任何内容：请查看后移除文件，或驳回举报。",
  "attestation.withdrawn": "{name} 撤回了一项声明",
  "attestation.withdrawnAdvice":
    "{kind, select, adult {成人声明} other {肖像权声明}}：此人发出的请求如需该声明，会被拒绝；由此人负责的服务密钥的同类请求也会被拒绝。",
  "key.expiring": "密钥“{name}”即将过期",
  "key.expiringAdvice": "该密钥将于 {expires_at} 失效。请在此之前创建新密钥并替换。",
  "batch.finished":
    "{count, plural, =1 {批次“{name}”{status, select, stopped {已停止} other {已完成}}} other {# 个批次已结束}}",
  "batch.finishedAdvice":
    "{count, plural, =1 {} other {最近一个：“{name}”，}}成功 {succeeded, number} 行，失败 {failed} 行。",
  "member.joined": "{count, plural, =1 {{name} 加入了账户} other {# 人加入了账户}}",
  "member.joinedAdvice":
    "{count, plural, =1 {} other {最近加入的是 {name}，}}角色为{role, select, owner {所有者} admin {管理员} member {成员} viewer {查看者} billing {财务} other { {role}}}。",
  "sign_in.new_place": "有人从新的位置以你的身份登录",
  "sign_in.new_placeAdvice":
    "时间：{at}；IP 地址：{has_ip, select, yes {{ip}} other {未知}}{has_device, select, yes {；设备：{device}} other {}}。如果不是你本人，请结束该会话并更改密码。",
  "provider.key_refused": "{provider} 拒绝了所配置的密钥",
  "provider.key_refusedAdvice": "区域：{region}。提供方返回的错误消息：{message}",
  "provider.bill_unpaid": "{provider} 报告账单有问题",
  "provider.bill_unpaidAdvice": "区域：{region}。提供方返回的错误消息：{message}",
  "provider.unhealthy": "{provider} 的 {model} 出现故障",
  "provider.unhealthyAdvice":
    "区域：{region}。熔断器已打开，因此会先尝试其他提供方。最近的错误消息：{message}",
  "usage.not_priced": "{id} 在未定价的情况下运行",
  "usage.not_pricedAdvice":
    "自 {day}（UTC）以来有 {runs, number} 次运行未计入账单和预算。请设置价格，该价格只适用于之后的运行。",
  "file.reported": "账户“{account}”的一个分享文件被举报{count, plural, =1 {} other {（# 次）}}",
  "file.reportedAdvice": "原因：“{report}”。尚未移除任何内容：请查看后移除文件，或驳回举报。",
  "certificate.expiring": "{host} 的证书即将过期",
  "certificate.expiringAdvice": "过期时间：{expires_at}。请在此之前续期。",
  "signing_certificate.expiring": "为输出签名的证书即将过期",
  "signing_certificate.expiringAdvice":
    "过期时间：{expires_at}（{subject}）。此后输出将不带签名保存。请在此之前续期。",
  "retention.lagging": "过期数据未能按时移除（{kind}）",
  "retention.laggingAdvice": "最早的一批已超期 {minutes, number} 分钟。请查看工作进程的日志。",
  "audit_stream.behind":
    "{has_dropped, select, yes {审计日志有 {dropped, number} 个事件未能及时送出，已丢弃} other {审计日志已有 {minutes, number} 分钟未送出}}",
  "audit_stream.behindAdvice":
    "{has_error, select, yes {最近一次尝试的错误：{error}。} other {}}请检查接收方，以及设置中的 AUDIT_STREAM_TO。",
  "database.connections": "数据库的可用连接即将用尽",
  "database.connectionsAdvice": "已使用 {used} 个，共 {limit} 个。请提高 max_connections，或减少运行的进程。",
  "database.disk": "数据库的磁盘即将用满",
  "database.diskAdvice": "剩余 {free}，共 {size}。磁盘用满后网关会停止工作。",
  "installation_guard.failing": "本系统的护栏出现故障（{host}）",
  "installation_guard.failingAdvice":
    "{reason} 在护栏恢复之前，{on_error, select, allow {运行会在未经检查的情况下继续} other {运行会被拒绝}}。",
  "installation_guard.recovered": "本系统的护栏已恢复（{host}）",
  "installation_guard.recoveredAdvice": "护栏最近一次的响应有效。",
  "load.high":
    "{who, select, keyless {没有密钥的请求} small {许多小账户} other {账户“{account}”}}占用了大部分处理器时间",
  "load.highAdvice":
    "最近 {minutes, number} 分钟内，进程的处理器时间几乎用满。估计有 {share}% 用于{who, select, keyless {没有密钥的 {requests, number} 个请求。请运行更多进程。} small {许多小账户的 {requests, number} 个请求。请运行更多进程。} other {账户“{account}”的 {requests, number} 个请求。请限制该账户，或运行更多进程。}}",
  "store.full": "无法保存文件：对象存储或其磁盘已满",
  "store.fullAdvice": "此问题始于 {since}。请腾出空间，等待中的运行随后会自动继续。",

  among: "{title}，其中包括 {names}",
  manyEndpointsFail: "{count, number} 个 Webhook 端点投递失败",
  manyEndpointsFailAdvice: "投递会自动重试；连续多日失败的端点会自动停用。",
  manyEndpointsDisabled: "{count, number} 个 Webhook 端点已停用",
  manyEndpointsDisabledAdvice: "事件正在等待投递。请修复接收方，然后启用端点并重新发送错过的事件。",
  manyEndpointsWork: "{count, number} 个 Webhook 端点已恢复",
  manyEndpointsWorkAdvice: "此前投递失败，现在已投递成功。请在端点页面重新发送错过的事件。",
  manyUndelivered: "有事件未能投递到 {count, number} 个 Webhook 端点",
  manyUndeliveredAdvice: "所有尝试均失败。系统不会再自动发送，请手动重试。",

  groupFailing:
    "{subjects, plural, =0 {有端点投递失败过，现在都已恢复} other {{endpoints} 个端点投递失败{has_error, select, yes {：{why}} other {}}}}",
  groupFailingAdvice: "投递会自动重试。连续多日失败的端点会自动停用。",
  groupDisabled: "{subjects, plural, =0 {有端点曾停用，现在都已启用} other {{endpoints} 个端点已停用}}",
  groupDisabledAdvice: "事件正在等待投递。请修复接收方，然后启用端点并重新发送错过的事件。",
  groupRecovered: "{subjects, plural, other {{endpoints} 个端点已恢复}}",
  groupRecoveredAdvice: "请在端点页面重新发送错过的事件。",
  groupUndelivered:
    "{times, plural, other {{events} 个事件}}未能送达 {subjects, plural, other {{endpoints} 个端点}}{has_error, select, yes {：{why}} other {}}",
  groupUndeliveredAdvice: "所有尝试均失败。系统不会再自动发送，请手动重试。",

  blocked_address: "不允许的地址",
  dns_error: "找不到主机",
  connect_refused: "连接被拒绝",
  connect_timeout: "连接超时",
  connection_reset: "连接中断",
  tls_error: "TLS 连接失败",
  timeout: "10 秒内没有响应",
  http_3xx: "重定向",
  http_4xx: "被接收方拒绝",
  http_5xx: "接收方出错",
  invalid_response: "响应无效",
  interrupted: "已中断",
  stale_connection: "复用的连接已关闭",
  payload_expired: "内容在投递前已移除",

  intimate: "未经同意展示的私密图片",
  person: "未经同意展示或模仿他人",
  illegal: "违法内容",
  copyright: "侵犯版权或商标",
  other: "其他原因",
} satisfies Translated<typeof en>;
