import type en from "../en/reports.ts";
import type { Translated } from "../translated.ts";

export default {
  fileRemovedAndBarred: "文件已移除并禁止再次使用。",
  reportDismissed: "已驳回举报。",
  removeFile: "移除文件",
  dismissReport: "驳回举报",
  removeThisFileAndBar: "移除此文件并禁止再次使用？",
  reportOfModel: "对 {model} 输出的举报",
  openTheSharedPage: "打开分享页面",
  nobodyCanKeepIt: "{removes}此后任何人都不能再保留、分享、复制或上传此文件。此操作无法撤销。",
  statusNamed: "{status, select, open {待处理} removing {正在移除} removed {已移除} other {已驳回}}",
  statusMeans:
    "{status, select, open {尚未处理} removing {文件已禁止再次使用，正在删除其副本} removed {文件已移除并禁止再次使用} other {文件仍保留}}",
  reasonNamed:
    "{reason, select, intimate {未经同意展示的私密图片} person {未经同意展示或模仿他人} illegal {违法内容} copyright {侵犯版权或商标} other {其他原因}}",
  reported: "举报时间",
  answerTo: "回复邮箱",
  file: "文件",
  theLinkNoLongerWorks: "链接已失效",
  model: "模型",
  decided: "处理时间",
  deleted: "已删除",
  storedFiles: "{count, plural, other {# 个文件}}",
  id: "ID",
} satisfies Translated<typeof en>;
