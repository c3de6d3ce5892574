import type { Permission } from "#contract/accounts/permissions.ts";
import type { Preferences } from "@/lib/preferences";
import type { Key } from "@/messages/words";

/** Something that Ctrl K does: one of `href`, `set` and `shell`. */
export interface PaletteAction {
  /** A message of `palette`, which begins with a verb or is what people type. */
  label: Key<"palette">;
  /** Other English and Chinese words that people use for it. */
  words: string;
  /** Opens a page. With `do`, it opens the page's dialog, which asks whatever has to be asked. */
  href?: string;
  /** Changes settings of this browser. */
  set?: Partial<Preferences>;
  /** Done by the shell. */
  shell?: "shortcuts" | "sign-out" | "copy-address";
  /** Who may do it: a permission of the role, operators, or people without a key. Missing: everybody. */
  only?: Permission | "operator" | "person";
}

/** All actions, in the order in which they are offered before something is typed. */
export const paletteActions: readonly PaletteAction[] = [
  {
    label: "runModel",
    words: "try generate make playground 试用 生成",
    href: "/catalog",
    only: "operations:run",
  },
  {
    label: "createKey",
    words: "new add api token secret 新建 令牌 API密钥",
    href: "/keys?do=create",
    only: "keys:own",
  },
  {
    label: "addEndpoint",
    words: "new create webhook receiver url hook 新建 回调 推送",
    href: "/webhooks/endpoints?do=add",
    only: "endpoints:manage",
  },
  {
    label: "retryDeliveries",
    words: "resend send again replay webhooks events dead letters missed 重发 重新发送 死信",
    href: "/webhooks/deliveries?status=dead-letter&do=retry",
    only: "deliveries:retry",
  },
  {
    label: "invite",
    words: "add new member user person colleague team 添加 成员 同事 用户",
    href: "/settings/team?do=invite",
    only: "members:manage",
  },
  {
    label: "setUpGuard",
    words: "new add moderation guardrails content filter block policy webhook 审核 内容过滤 拦截",
    href: "/settings/guard",
    only: "account:manage",
  },
  {
    label: "uploadFiles",
    words: "send add photo video audio 图片 视频 音频",
    href: "/uploads",
    only: "uploads:write",
  },
  { label: "startBatch", words: "new bulk csv rows 批量 新建", href: "/batches/new", only: "operations:run" },
  {
    label: "compareModels",
    words: "side by side evaluate 比较 评测",
    href: "/compare",
    only: "operations:run",
  },
  { label: "addAlias", words: "new create name 新建 名称", href: "/aliases?do=add", only: "aliases:manage" },
  {
    label: "addDestination",
    words: "new create connect bucket s3 storage copy 新建 存储桶 对象存储",
    href: "/destinations?do=add",
    only: "destinations:manage",
  },
  {
    label: "addNoticeHook",
    words: "new create slack discord teams chat alert notify 告警 提醒 飞书 钉钉",
    href: "/settings/notifications?do=add",
    only: "notices:manage",
  },
  {
    label: "changeBudgets",
    words: "set limit spending 限额 额度 花费",
    href: "/settings?do=budgets",
    only: "budgets:manage",
  },
  {
    label: "failedPredictions",
    words: "list find errors failures runs 错误 失败 查找",
    href: "/predictions?status=failed",
    only: "predictions:read",
  },
  {
    label: "failedRequests",
    words: "list find errors failures 500 5xx logs 错误 日志 查找",
    href: "/requests?status_class=5xx",
    only: "requests:read",
  },
  {
    label: "refusedRequests",
    words: "list find failed errors failures 400 4xx 429 invalid logs 错误 日志 查找",
    href: "/requests?status_class=4xx",
    only: "requests:read",
  },
  {
    label: "deadLetters",
    words: "list find failed deliveries webhooks events 失败 投递 查找",
    href: "/webhooks/deliveries?status=dead-letter",
    only: "deliveries:read",
  },
  {
    label: "exportUsage",
    words: "download csv cost billing invoice 下载 账单 费用 计费",
    href: "/usage",
    only: "usage:own",
  },
  {
    label: "addPasskey",
    words: "new register fingerprint second factor 2fa mfa 指纹 两步验证",
    href: "/settings/profile?do=passkey",
    only: "person",
  },
  {
    label: "changePassword",
    words: "set new reset 重置 更改密码",
    href: "/settings/profile",
    only: "person",
  },
  {
    label: "connectProvider",
    words: "add new upstream 添加 上游 供应商",
    href: "/operator/providers/new",
    only: "operator",
  },
  { label: "addModel", words: "new create import 新建 导入", href: "/operator/models/new", only: "operator" },
  {
    label: "mapOperation",
    words: "add new route 新建 路由",
    href: "/operator/mapping/new",
    only: "operator",
  },
  {
    label: "setPrice",
    words: "add new change cost 定价 成本",
    href: "/operator/prices/set",
    only: "operator",
  },
  {
    label: "importPrices",
    words: "upload csv cost 上传 定价",
    href: "/operator/prices?do=import",
    only: "operator",
  },
  {
    label: "exportProviders",
    words: "backup file 备份",
    href: "/operator/providers?do=export",
    only: "operator",
  },
  {
    label: "importProviders",
    words: "restore file 恢复",
    href: "/operator/providers?do=import",
    only: "operator",
  },
  {
    label: "writeIncident",
    words: "new create report outage status 故障 事故",
    href: "/status-and-regions?do=incident",
    only: "operator",
  },
  { label: "lightTheme", words: "appearance bright mode colours 外观 白天", set: { theme: "light" } },
  { label: "darkTheme", words: "appearance night mode colours 外观 夜间 深色模式", set: { theme: "dark" } },
  { label: "systemTheme", words: "appearance automatic mode colours 外观 自动", set: { theme: "system" } },
  { label: "compactRows", words: "density dense small tables 密度", set: { density: "compact" } },
  { label: "comfortableRows", words: "density large tables 密度", set: { density: "comfortable" } },
  { label: "timesInUtc", words: "zone clock 时区", set: { zone: "utc" } },
  { label: "localTimes", words: "zone clock 时区", set: { zone: "local" } },
  { label: "copyAddress", words: "link url share 链接 分享", shell: "copy-address" },
  { label: "shortcuts", words: "show keys hotkeys help 快捷键 帮助", shell: "shortcuts" },
  { label: "signOut", words: "log out logout leave 登出 注销", shell: "sign-out" },
];

/** The words by which people look for an action in every language: also the English ones of its label. */
export function actionWordsOf({ label, words }: Pick<PaletteAction, "label" | "words">): string {
  return `${words} ${label.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

/** The words by which people look for a page, in every language: also those of its address. */
export function pageWordsOf(href: string): string {
  return `${pageWords[href] ?? ""} ${href.replaceAll(/[/-]/g, " ")}`;
}

/** What people call the pages in English and Chinese, by their address, apart from their names. */
export const pageWords: Readonly<Record<string, string>> = {
  "/": "start overview dashboard 概览 总览 仪表盘",
  "/catalog": "models list playground gallery 模型列表 试用",
  "/compare": "comparison side by side evaluate 比较 评测",
  "/presets": "templates saved inputs prompts 模板 提示词",
  "/conversations": "chats chat history messages 聊天 对话 历史",
  "/predictions": "runs jobs results outputs history async 任务 运行 结果 历史 异步",
  "/batches": "bulk jobs tables csv 批量 表格",
  "/library": "kept saved outputs files assets favourites 收藏 保存 文件 素材",
  "/uploads": "files inputs images media storage 文件 图片 存储",
  "/destinations": "buckets s3 storage copies export 存储桶 对象存储 备份 导出",
  "/keys": "api key token tokens secret credentials 令牌 凭证 API密钥",
  "/webhooks/endpoints": "webhook webhooks hooks receivers urls signing secret callbacks 回调 推送 接收地址",
  "/webhooks/deliveries": "webhook webhooks events attempts sent failed 回调 推送 事件 失败",
  "/requests": "log logs api calls http errors history 日志 调用 错误 记录",
  "/activity": "charts metrics monitoring latency errors traffic graphs 图表 指标 监控 延迟 流量",
  "/settings/connections": "agents mcp oauth apps integrations 智能体 应用 集成 授权",
  "/aliases": "model names routing fallback 模型名称 备用",
  "/usage":
    "billing cost costs spending money bill bills invoice invoices credits consumption 账单 费用 花费 计费 消费 发票 余额",
  "/settings/team": "members people users roles permissions invitations 成员 用户 角色 权限 邀请",
  "/attestations": "adult age faces consent gates statements confirm 成人 年龄 肖像 同意 确认",
  "/settings/notifications": "alerts notices emails mail slack 提醒 告警 邮件",
  "/audit-log": "logs history changes security who 日志 历史 安全 操作记录",
  "/settings":
    "account preferences budgets limits rules retention delete options configuration 账户 偏好 预算 限额 配置",
  "/guides": "docs documentation help tutorials how to sdk 文档 教程 帮助",
  "/api-reference": "docs documentation openapi schema routes 文档 接口",
  "/status-and-regions": "uptime outage incidents health 可用性 故障 公告",
  "/operator/first-steps": "setup set up onboarding 安装 初始化",
  "/operator/providers": "upstreams openai anthropic connections credentials 上游 供应商 凭证",
  "/operator/mapping": "routes routing operations 路由 操作",
  "/operator/models": "entries catalog own import 导入 目录",
  "/operator/prices": "cost pricing markup rates 定价 费率 加价 成本",
  "/operator/all-usage": "billing cost revenue accounts 账单 成本 收入 费用",
  "/operator/health": "monitoring metrics errors latency 监控 错误 延迟",
  "/operator/accounts": "customers tenants users prepaid credit 客户 租户 用户 预付费",
  "/operator/reports": "abuse complaints takedown 投诉 滥用 下架",
  "/operator/changes": "audit history configuration undo 审计 历史 配置 撤销",
  "/operator/signing": "certificates c2pa provenance content credentials 证书 内容凭据 来源",
  "/operator/installation-guard":
    "moderation guardrails content filter block policy webhook 审核 内容过滤 拦截",
  "/operator/mail": "smtp e-mail email alerts 邮箱 邮件 告警",
  "/notices": "alerts inbox bell unread 提醒 收件箱 未读",
  "/library/check-a-file": "verify provenance signature content credentials 验证 来源 签名 内容凭据",
  "/settings/profile":
    "me name e-mail password passkey sessions two factor 2fa 姓名 邮箱 密码 通行密钥 会话 两步验证",
};
