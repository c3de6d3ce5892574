import type en from "../en/load.ts";
import type { Translated } from "../translated.ts";

export default {
  loadNow: "当前负载",
  loadOfNow: "“{name}”的当前负载",
  howItIsMeasured:
    "最近 {minutes, number} 分钟。处理器时间为估算值：每个进程的用时按请求的数量和字节数分摊。",
  allAccounts: "所有账户",
  loadBy: "负载的分组方式",
  loadByWhat: "按{what}统计的负载",
  nothingRan: "最近 {minutes, number} 分钟没有运行记录。",
  account: "账户",
  key: "密钥",
  model: "模型",
  provider: "提供方",
  route: "路径",
  region: "区域",
  noKey: "没有密钥的请求",
  noModel: "无模型",
  noProvider: "无提供方",
  noRoute: "预测任务和批次",
  noRegion: "无区域",
  allOthers: "其他",
  signedIn: "已登录",
  requests: "请求",
  processorTime: "处理器时间",
  received: "接收",
  sent: "发送",
  running: "运行中",
  waiting: "等待中",
  deliveries: "投递",
  actions: "操作",
  together:
    "总计 {requests, number} 个请求，处理器时间 {processor}，接收 {received}，发送 {sent}，运行中 {running, number} 个，等待中 {waiting, number} 个，待发送的投递 {deliveries, number} 个。",
  limitTheKey: "限制密钥“{name}”",
  limitKey: "限制密钥",
  limitAccount: "更改账户限额",
} satisfies Translated<typeof en>;
