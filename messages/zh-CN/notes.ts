import type en from "../en/notes.ts";
import type { Translated } from "../translated.ts";

export default {
  notes: "备注",
  count: "{count, number} 条备注",
  countHeard: "{count, number}<hidden> 条备注</hidden>",
  note: "备注",
  hint: "纯文本，最多 {count, number} 个字符。账户中能看到此页面的人都可以阅读。",
  writeFirst: "请先填写备注。",
  leaveANote: "添加备注",
  leaveNote: "添加备注",
  saveChanges: "保存更改",
  changed: "更改于 <time></time>",
  change: "更改 {name} 的备注",
  delete: "删除 {name} 的备注",
  theNote: "备注",
  somebody: "未知用户",
} satisfies Translated<typeof en>;
