import "server-only";
import type { Deleted } from "#contract/list.ts";
import type { Identity } from "#contract/oidc.ts";
import type { PasswordChange, PasswordChanged } from "#contract/passwords.ts";
import type { Profile, ProfileUpdate } from "#contract/profile.ts";
import type { SessionList, SessionsEnded } from "#contract/sessions.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestGateway } from "./request.ts";

export function getProfile(): Promise<GatewayResult<Profile>> {
  return requestGateway("/account/profile");
}

export function updateProfile(body: ProfileUpdate): Promise<GatewayResult<Profile>> {
  return requestGateway("/account/profile", { method: "PATCH", body });
}

export function changePassword(body: PasswordChange): Promise<GatewayResult<PasswordChanged>> {
  return requestGateway("/account/password", { method: "POST", body });
}

export function listIdentities(): Promise<GatewayResult<{ data: Identity[] }>> {
  return requestGateway("/account/identities");
}

export function unlinkIdentity(id: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(`/account/identities/${encodeURIComponent(id)}`, { method: "DELETE" });
}

export function listSessions(): Promise<GatewayResult<SessionList>> {
  return requestGateway("/account/sessions");
}

export function endOneSession(id: string): Promise<GatewayResult<Deleted>> {
  return requestGateway(`/account/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
}

export function endOtherSessions(): Promise<GatewayResult<SessionsEnded>> {
  return requestGateway("/account/sessions", { method: "DELETE" });
}
