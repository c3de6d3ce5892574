import type en from "../en/identity-provider.ts";
import type { Translated } from "../translated.ts";

export default {
  description: "测试登录，并查看登录后的角色。",
  testSignIn: "测试登录",
  onlyOperators: "只有运维人员可以测试",
  onlyOperatorsMeans: "此身份提供方用于登录本系统的所有账户。",
  nobodyTested: "最近十分钟内没有人测试过登录。",
  resultingRole: "登录后的角色",
  whatTheProviderSent: "身份提供方发送的内容",
  claims: "Claim",
  present: "已发送",
  missing: "未发送，因此角色不变",
  overflowing: "内容过大，身份提供方未发送，因此角色不变",
  not_configured: "未设置 OIDC_ROLE_CLAIM",
  roleIn:
    "“{account}”{isKnown, select, yes {} other {（不存在）}}的{role}（{isMapped, select, yes {来自 {by}} other {默认角色}}）",
  emailIs: "{email}，{isVerified, select, yes {已验证} other {未验证}}",
  tried: "测试时间",
  signIn: "登录",
  accepted: "通过",
  eMail: "邮箱",
  notSent: "未发送",
  roleClaim: "角色 claim",
  values: "值",
  none: "无",
  valuesWithoutARole: "没有对应角色的值",
  roleOfANewMember: "新成员的角色",
  "refused.no_email": "身份提供方没有发送邮箱地址，而此处只允许特定域名的邮箱登录。",
  "refused.unverified_email": "身份提供方尚未验证此邮箱，而此处只允许特定域名的邮箱登录。",
  "refused.other_domain": "此处不允许使用此域名的邮箱登录。",
  "refused.no_role": "没有任何规则为此人分配角色。",
} satisfies Translated<typeof en>;
