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
  passwordHint: "至少 {count, number} 个字符，且不易被猜到，例如四个互不相关的词。",
  passwordWeak:
    "这个密码容易被猜到：{reason, select, userInputs {由你的姓名或邮箱地址组成} topTen {是最常见的十个密码之一} topHundred {是最常见的一百个密码之一} common {是常见的密码} wordByItself {是常见的单词} similarToCommon {只是在常见的密码或单词上改动或添加了几个字符} straightRow {所用按键彼此相邻} keyPattern {所用按键彼此相邻} simpleRepeat {重复了相同的字符} extendedRepeat {重复了相同的字符} sequences {是 abc 或 123 这样的序列} recentYears {主要是一个年份} dates {主要是一个日期} other {太短，或只是一个单词加上几个字符}}。请换一个，例如四个互不相关的词。",
  emailFault:
    "{reason, select, invisible {地址中有看不见的字符。请删除该字符，并手动输入地址。} mixed {地址混用了多种字母表中外形相似的字母。请只用一种字母表重新输入。} other {请输入类似 name@example.com 的地址。}}",
  show: "显示{what, select, key {密钥} token {令牌} current {当前密码} other {密码}}",
  hide: "隐藏{what, select, key {密钥} token {令牌} current {当前密码} other {密码}}",
  back: "返回",
  or: "或",
  language: "语言",
  languageHint: "适用于你在任何浏览器中打开的控制台，以及发给你的邮件。",
  languageOfMail: "邮件语言",
  languageOfBrowser: "跟随浏览器",
  enterAName: "请输入名称。",
  nameChanged: "更改已保存",
  saveName: "保存",
} satisfies Translated<typeof en>;
