import type en from "../en/fields.ts";
import type { Translated } from "../translated.ts";

export default {
  email: "邮箱",
  password: "密码",
  newPassword: "新密码",
  yourName: "姓名",
  enterName: "请输入姓名。",
  enterEmail: "请输入邮箱地址。",
  choosePassword: "请设置密码。",
  passwordTooShort: "至少需要 {count, number} 个字符。",
  passwordHint: "至少 {count, number} 个字符，且不易被猜到。四个互不相关的词就很好。",
  show: "显示{what, select, key {密钥} token {令牌} current {当前密码} other {密码}}",
  hide: "隐藏{what, select, key {密钥} token {令牌} current {当前密码} other {密码}}",
  back: "返回",
  or: "或",
  language: "语言",
  languageHint: "用于你在所有浏览器中的控制台，以及发给你的邮件。",
  languageOfMail: "邮件语言",
  languageOfBrowser: "跟随浏览器",
} satisfies Translated<typeof en>;
