import type en from "../en/asked-guards.ts";
import type { Translated } from "../translated.ts";

export default {
  title: "询问过的护栏",
  guard: "护栏",
  account: "此账户的护栏",
  installation: "本系统的护栏",
  stage: "询问内容",
  input: "输入",
  output: "输出",
  answer: "响应",
  allowed: "已允许",
  blocked: "已拦截",
  replaced: "已替换",
  failed: "失败",
  time: "用时",
  inputReplaced: "护栏替换了输入。日志、内容和凭证记录的都是实际运行的输入。",
  outputReplaced: "护栏替换了输出，因此调用方收到的文字与模型生成的不同。",
  open: "打开护栏页面",
} satisfies Translated<typeof en>;
