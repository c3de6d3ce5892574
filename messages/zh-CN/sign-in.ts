import type en from "../en/sign-in.ts";
import type { Translated } from "../translated.ts";

export default {
  pageTitle: "登录",
  description: "运行模型，查看运行记录、费用和结果。",
  sessionExpired: "会话已结束。重新登录后可从刚才的位置继续。",
  alreadySetUp: "Gatehouse 已完成初始设置。初始设置链接只能使用一次，请用已创建的账户登录。",
  withProvider: "通过 {name} 登录",
  forgot: "忘记密码？",
  resetByEmail: "通过邮件重置",
  resetByColleague: "账户的所有者或管理员可以为你创建重置链接。",
  method: "登录方式",
  accountKey: "账户密钥",
  keyHint: "密钥保存在加密的 Cookie 中，脚本无法读取。提交声明需要用邮箱和密码登录。",
  submit: "登录",
  submitKey: "用密钥登录",
  usePasskey: "使用通行密钥",
  confirmPasskey: "请用你为账户添加的通行密钥确认。",
  code: "验证码",
  codeHint: "输入身份验证器应用中的六位数字。",
  useApp: "使用身份验证器应用",
  recoveryCode: "恢复码",
  recoveryHint: "输入你保存的十个恢复码之一。每个只能使用一次。",
  useRecoveryCode: "使用恢复码",
  next: "继续",
} satisfies Translated<typeof en>;
