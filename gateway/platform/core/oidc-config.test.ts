import { expect, test } from "vitest";
import { readOidc } from "./oidc-config.ts";
import { ConfigError, settingReader } from "./setting-reader.ts";

const least = {
  OIDC_ISSUER: "https://id.example.com",
  OIDC_CLIENT_ID: "gatehouse",
  OIDC_CLIENT_SECRET: "secret",
};
const read = (settings: Record<string, string>) => readOidc(settingReader(settings));

function refusal(settings: Record<string, string>): string {
  try {
    read({ ...least, ...settings });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "accepted";
}

test("three settings are enough, and none are needed", () => {
  expect(read({})).toBeNull();
  expect(read(least)).toMatchObject({
    scopes: ["openid", "profile", "email"],
    defaultRole: "member",
    signIn: true,
    createMembers: true,
    managesRoles: false,
  });
});

test("a group may have equals signs, and an entry may name the account", () => {
  const account = "acct_01m81dz6662mkp9ec8n1s43401";
  const map = `cn=admins=admin, staff=${account}/viewer`;
  expect(read({ ...least, OIDC_ROLE_CLAIM: "groups", OIDC_ROLE_MAP: map })?.roleMap).toEqual([
    { value: "cn=admins", accountId: null, role: "admin" },
    { value: "staff", accountId: account, role: "viewer" },
  ]);
});

test.each([
  ["OIDC_ISSUER must be set when OIDC_CLIENT_ID", { OIDC_ISSUER: "" }],
  ["OIDC_ISSUER must be an https", { OIDC_ISSUER: "http://id.example.com" }],
  ["OIDC_ISSUER must name one tenant", { OIDC_ISSUER: "https://login.microsoftonline.com/common/v2.0" }],
  ["OIDC_ISSUER needs GATEWAY_EXTENSIONS", { GATEWAY_EXTENSIONS: "off" }],
  ["OIDC_CLIENT_ID", { OIDC_CLIENT_ID: "" }],
  ["OIDC_CLIENT_SECRET", { OIDC_CLIENT_SECRET: "" }],
  ["OIDC_SCOPES", { OIDC_SCOPES: "profile" }],
  ["OIDC_ALLOWED_DOMAINS must be domains", { OIDC_ALLOWED_DOMAINS: "@example.com" }],
  ["OIDC_ALLOWED_DOMAINS must be set", { OIDC_ISSUER: "https://accounts.google.com" }],
  ["OIDC_ROLE_CLAIM must be set", { OIDC_ROLE_MAP: "a=admin" }],
  ["OIDC_ROLE_MAP must be set", { OIDC_ROLE_CLAIM: "groups" }],
  ["OIDC_ROLE_MAP must be entries", { OIDC_ROLE_CLAIM: "groups", OIDC_ROLE_MAP: "a=admni" }],
  ["OIDC_ROLE_MAP must be entries", { OIDC_ROLE_CLAIM: "groups", OIDC_ROLE_MAP: "a=somewhere/admin" }],
  ["OIDC_DEFAULT_ROLE", { OIDC_DEFAULT_ROLE: "boss" }],
  ["OIDC_MANAGES_ROLES", { OIDC_MANAGES_ROLES: "on" }],
])("a setting that cannot work is named: %s %o", (start, settings) => {
  expect(refusal(settings)).toContain(start);
});
