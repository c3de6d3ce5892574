import type en from "../en/joining.ts";
import type { Translated } from "../translated.ts";

export default {
  pageTitle: "邀请",
  title: "加入账户",
  description: "有人邀请你在 Gatehouse 中协作。",
  loading: "正在加载邀请…",
  replacedLink: "链接已被新链接取代",
  replacedLinkAdvice: "已为此邀请创建新的链接。请使用新链接。",
  invited:
    "{named, select, yes {{by} } other {有人}}邀请 <b>{email}</b> 加入账户“<b>{account}</b>”。你的角色将是{role, select, owner {所有者} admin {管理员} member {成员} viewer {查看者} billing {财务} other { {role}}}。",
  ways: "加入方式",
  isNew: "我是新用户",
  isKnown: "我已有账户",
  signedInWithKey:
    "你当前用密钥“{name}”登录。邀请的对象是 <b>{invited}</b>。如果以 {invited} 的身份加入，此浏览器中的当前会话将结束。",
  signedInAs:
    "你当前以 {name}（{email}）的身份登录。邀请的对象是 <b>{invited}</b>。如果以 {invited} 的身份加入，此浏览器中的当前会话将结束。",
  joinAs: "以 {email} 的身份加入",
  staySignedIn: "保持当前登录",
  joinWith: "通过 {name} 加入",
  providerAddress: "你在身份提供方的账户必须使用邮箱 {email}。",
  join: "加入",
  joinAccount: "加入“{account}”",
  signInToJoin: "请先以 {email} 的身份登录，再加入。",

  accepted: "邀请已被接受",
  acceptedAdvice: "链接只能使用一次。如果是你接受了邀请，请登录；如果不是，请告知邀请你的人。",
  expired: "邀请已过期",
  expiredAdvice: "请向邀请你的人索取新的链接。",
  revoked: "邀请已撤回",
  revokedAdvice: "请向邀请你的人索取新的链接。",
  replaced: "邀请已被新邀请取代",
  replacedAdvice: "已为同一邮箱创建新的邀请。请使用新邀请中的链接。",
} satisfies Translated<typeof en>;
