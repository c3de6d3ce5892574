import type en from "../en/authorize.ts";
import type { Translated } from "../translated.ts";

export default {
  connectName: "连接“{name}”？",
  thisClientWantsToRun: "此客户端想以你（{name}）的名义运行模型。",
  thisClientCannotBeConnected: "无法连接此客户端",
  noDataWasSharedWith: "没有向客户端提供任何数据。",
  accountToConnect: "要连接的账户",
  account: "账户",
  nobodyHasCheckedWhoThis:
    "此客户端的身份未经核实：由客户端自行注册，名称可以任意填写。如果连接不是你刚刚亲自发起的，请不要继续。",
  connectAClient: "连接客户端",
  aParameterOccursTwice: "客户端打开的网址中有参数重复。",
  client: "客户端",
  knownAs: "身份",
  unknownClient: "未知：客户端自行注册",
  returnsTo: "授权后跳转到",
  goesTo:
    "{kind, select, web {{host}} this_device {此设备上的程序（{host}）} other {此设备上的应用（{host}）}}",
  hostConfirms: "<b>{host}</b> 已确认此客户端由其提供。名称由客户端自行选择。",
} satisfies Translated<typeof en>;
