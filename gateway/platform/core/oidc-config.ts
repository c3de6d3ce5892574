import { type Role, roles } from "#contract/accounts/constants.ts";
import { isId } from "#contract/ids.ts";
import { ConfigError, type SettingReader } from "./setting-reader.ts";

/**
 * Maps a value of the role claim to a role in the account with this id; null: the instance's first account.
 */
export interface RoleRule {
  value: string;
  accountId: string | null;
  role: Role;
}

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The text on the button. */
  name: string;
  scopes: string[];
  /** Empty: all domains. */
  allowedDomains: string[];
  roleClaim: string | null;
  roleMap: RoleRule[];
  /** The role of new members to whom the map gives none; null: they are refused. */
  defaultRole: Role | null;
  /** Whether people can sign in through the provider. False: only operators can, to test it. */
  signIn: boolean;
  /** Whether a person's first sign-in makes them a member without an invitation. */
  createMembers: boolean;
  /** Whether every sign-in sets the mapped roles. */
  managesRoles: boolean;
}

const needed = "OIDC_ISSUER";
const settings = [
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "OIDC_SCOPES",
  "OIDC_ALLOWED_DOMAINS",
  "OIDC_ROLE_CLAIM",
  "OIDC_ROLE_MAP",
  "OIDC_DEFAULT_ROLE",
  "OIDC_SIGN_IN",
  "OIDC_CREATE_MEMBERS",
  "OIDC_MANAGES_ROLES",
] as const;
/** Anybody can create an account at these issuers. */
const publicIssuers = ["https://accounts.google.com"];

/** The settings of the identity provider. Throws ConfigError for invalid or contradicting settings. */
export function readOidc(read: SettingReader): OidcConfig | null {
  const given = settings.find((name) => read.isSet(name));
  const issuer = read.text(needed);
  if (issuer === null) {
    if (given) throw new ConfigError(`${needed} must be set when ${given} is set`);
    return null;
  }
  if (!read.isOn("GATEWAY_EXTENSIONS"))
    throw new ConfigError(`${needed} needs GATEWAY_EXTENSIONS=on: single sign-on is an extension`);
  const roleClaim = read.text("OIDC_ROLE_CLAIM");
  const roleMap = read.list("OIDC_ROLE_MAP").map(roleRule);
  const config: OidcConfig = {
    issuer: checkedIssuer(issuer),
    clientId: required(read, "OIDC_CLIENT_ID"),
    clientSecret: required(read, "OIDC_CLIENT_SECRET"),
    name: read.text("OIDC_NAME"),
    scopes: checkedScopes(read.text("OIDC_SCOPES")),
    allowedDomains: read.list("OIDC_ALLOWED_DOMAINS").map(checkedDomain),
    roleClaim,
    roleMap,
    defaultRole: defaultRole(read),
    signIn: read.isOn("OIDC_SIGN_IN"),
    createMembers: read.isOn("OIDC_CREATE_MEMBERS"),
    managesRoles: read.isOn("OIDC_MANAGES_ROLES"),
  };
  if (roleMap.length > 0 && roleClaim === null)
    throw new ConfigError(
      "OIDC_ROLE_CLAIM must be set when OIDC_ROLE_MAP is set, such as OIDC_ROLE_CLAIM=groups",
    );
  if (roleMap.length === 0 && roleClaim !== null)
    throw new ConfigError(
      "OIDC_ROLE_MAP must be set when OIDC_ROLE_CLAIM is set, such as group=admin,other=viewer",
    );
  if (config.managesRoles && roleMap.length === 0)
    throw new ConfigError("OIDC_MANAGES_ROLES=on needs OIDC_ROLE_CLAIM and OIDC_ROLE_MAP");
  if (publicIssuers.includes(config.issuer) && config.createMembers && config.allowedDomains.length === 0)
    throw new ConfigError(
      `OIDC_ALLOWED_DOMAINS must be set for ${issuer}, or OIDC_CREATE_MEMBERS=off: otherwise anybody with an account there becomes a member`,
    );
  return config;
}

function required(read: SettingReader, name: "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET"): string {
  const text = read.text(name);
  if (text === null) throw new ConfigError(`${name} must be set when ${needed} is set`);
  return text;
}

/**
 * Returns the issuer with its spelling unchanged, because it is compared with the provider's tokens character
 * by character.
 */
function checkedIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
  if (!url || !isSafe || url.search || url.hash || url.username || url.password)
    throw new ConfigError(
      `${needed} must be an https address without query, such as https://id.example.com/realms/company, not "${text}" (http only on this machine)`,
    );
  if (/^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/.test(text))
    throw new ConfigError(
      `${needed} must name one tenant: https://login.microsoftonline.com/<tenant id>/v2.0`,
    );
  return text;
}

function checkedScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter(Boolean);
  if (scopes.includes("openid")) return scopes;
  throw new ConfigError(`OIDC_SCOPES must contain openid, such as "openid profile email", not "${text}"`);
}

function checkedDomain(text: string): string {
  const domain = text.toLowerCase();
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return domain;
  throw new ConfigError(
    `OIDC_ALLOWED_DOMAINS must be domains separated by commas, such as example.com, not "${text}"`,
  );
}

/** `group=admin`, or `group=acct_…/admin`. A group may contain equals signs. */
function roleRule(text: string): RoleRule {
  const at = text.lastIndexOf("=");
  const value = text.slice(0, at).trim();
  const target = text.slice(at + 1).trim();
  const slash = target.lastIndexOf("/");
  const accountId = slash < 0 ? null : target.slice(0, slash);
  const role = roles.find((each) => each === target.slice(slash + 1));
  if (at < 1 || !value || !role || (accountId !== null && !isId("account", accountId)))
    throw new ConfigError(
      `OIDC_ROLE_MAP must be entries like group=role or group=acct_…/role, with a role of ${roles.join(", ")}, not "${text}"`,
    );
  return { value, accountId, role };
}

function defaultRole(read: SettingReader): Role | null {
  const role = read.choice("OIDC_DEFAULT_ROLE");
  return role === "none" ? null : role;
}
