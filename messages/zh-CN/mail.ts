import type en from "../en/mail.ts";
import type { Translated } from "../translated.ts";

export default {
  open: "打开",
  showAll: "查看全部",
  settings: "设置",
  more: "还有 {count, number} 条通知",
  moreInConsole: "控制台中还有 {count, number} 条通知",
  moreText: "可在控制台查看全部通知。",
  notices: "{count, number} 条通知",
  inAccount: "【{account}】{subject}",
  why: "此邮件根据你的通知设置发送：",

  invitation: "{by} 邀请你加入“{account}”",
  invitationTitle: "加入“{account}”",
  invitationText:
    "{by} 邀请你加入账户“{account}”，角色为{role, select, owner {所有者} admin {管理员} member {成员} viewer {查看者} billing {财务} other { {role}}}。打开此链接即可加入。链接只能使用一次，有效期至 {until}。",
  invitationAction: "加入",
  invitationElse: "如果你不清楚此邀请的来由，请忽略此邮件。",
  somebody: "有人",

  password_reset: "设置新密码",
  password_resetText:
    "有人为 {email} 申请了设置新密码的链接。链接只能使用一次，有效期至 {until}。设置新密码后，你会在所有设备上退出登录。",
  password_resetAction: "设置新密码",
  password_resetElse: "如果不是你本人操作，请忽略此邮件，密码不会改变。",

  email_change: "确认新的邮箱地址",
  email_changeText:
    "有人申请将登录邮箱从 {from} 改为此邮箱。打开此链接即可确认。链接只能使用一次，有效期至 {until}。",
  email_changeAction: "确认",
  email_changeElse: "如果不是你本人操作，请忽略此邮件，邮箱地址不会改变。",

  email_changed: "你的邮箱地址已更改",
  email_changedText: "今后请用 {to} 登录，不能再用此邮箱登录。更改操作的 IP 地址：{ip}。",
  email_changedElse: "如果不是你本人操作，请立即联系账户的所有者或本系统的运维人员。",
  unknownAddress: "未知",

  test: "来自 Gatehouse 的测试邮件",
  testTitle: "邮件可以正常发送",
  testText: "此邮件由运维人员发送，用于检查邮件设置。",
  testElse: "你无需执行任何操作。",
} satisfies Translated<typeof en>;
