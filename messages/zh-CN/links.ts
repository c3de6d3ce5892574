import type en from "../en/links.ts";
import type { Translated } from "../translated.ts";

export default {
  forgotTitle: "忘记密码？",
  forgotPageTitle: "忘记密码",
  forgotDescription: "通过邮件获取链接，设置新密码。",
  checkMailbox: "请查收邮件",
  linkOnItsWay: "如果 {email} 属于某位用户，链接会发送到该邮箱。链接只能使用一次，一天内有效。",
  backToSignIn: "返回登录",
  sendLink: "发送链接",

  resetTitle: "设置新密码",
  resetPageTitle: "新密码",
  resetDescription: "使用发给你的一次性链接。",
  resetMeans: "这将为 {name}（<b>{email}</b>）设置新密码，并结束其所有会话。",
  setPassword: "设置密码",
  passwordSet: "密码已设置",
  passwordSetNext: "请用 {email} 和新密码登录。已结束 {count, number} 个会话。",

  emailTitle: "确认新的邮箱地址",
  emailPageTitle: "新邮箱地址",
  emailDescription: "使用发送到新邮箱的链接。",
  emailMeans: "今后你将以 <b>{email}</b> 登录，不再使用 {from}。",
  changeAddress: "更改邮箱地址",
  addressChanged: "邮箱地址已更改",
  addressChangedNext: "今后请以 {email} 登录。",
  toProfile: "前往个人资料",

  loading: "正在加载链接…",
  toSignIn: "前往登录",
  incomplete: "链接不完整",
  incompleteAdvice: "请复制完整的链接，包括 # 之后的部分。",
  notValid: "链接无效",
  notValidAdvice: "请检查是否复制了完整的链接，或索取新的链接。",
  used: "链接已使用过",
  usedForPassword: "链接只能使用一次。请用新密码登录，或申请新的链接。",
  usedForEmail: "邮箱地址已经更改。",
  expired: "链接已过期",
  expiredForPassword: "链接一天内有效，新链接会取代旧链接。请申请新的链接。",
  expiredForEmail: "链接一天内有效，新链接会取代旧链接。请在个人资料中重新开始。",
} satisfies Translated<typeof en>;
