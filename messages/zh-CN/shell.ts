import type en from "../en/shell.ts";
import type { Translated } from "../translated.ts";

export default {
  backTo: "返回{account, select, none {账户} other { {account}}}",
  forAllAccounts: "影响所有账户",
  readAbout: "阅读关于此页面的说明",
} satisfies Translated<typeof en>;
