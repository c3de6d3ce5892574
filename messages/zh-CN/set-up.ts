import type en from "../en/set-up.ts";
import type { Translated } from "../translated.ts";

export default {
  pageTitle: "初始设置",
  title: "设置 Gatehouse",
  description: "创建第一个账户，你将成为该账户的所有者。",
  token: "初始设置令牌",
  tokenHint: "打开网关在终端中输出的一次性链接，或将链接中 # 之后的部分粘贴到这里。",
  tokenMissing: "请粘贴终端中的令牌。",
  submit: "创建账户",
} satisfies Translated<typeof en>;
