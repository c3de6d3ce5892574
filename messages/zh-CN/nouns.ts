import type en from "../en/nouns.ts";
import type { Translated } from "../translated.ts";

export default {
  account: "{count, plural, other {账户}}",
  alias: "{count, plural, other {别名}}",
  batch: "{count, plural, other {批次}}",
  change: "{count, plural, other {变更}}",
  comparison: "{count, plural, other {对比}}",
  connection: "{count, plural, other {连接}}",
  copy: "{count, plural, other {复制记录}}",
  delivery: "{count, plural, other {投递}}",
  destination: "{count, plural, other {目标存储}}",
  endpoint: "{count, plural, other {端点}}",
  file: "{count, plural, other {文件}}",
  invitation: "{count, plural, other {邀请}}",
  key: "{count, plural, other {密钥}}",
  link: "{count, plural, other {链接}}",
  member: "{count, plural, other {成员}}",
  notice: "{count, plural, other {通知}}",
  prediction: "{count, plural, other {预测任务}}",
  request: "{count, plural, other {请求}}",
  upload: "{count, plural, other {上传文件}}",
} satisfies Translated<typeof en>;
