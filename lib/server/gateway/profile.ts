import "server-only";
import type { Deleted } from "#contract/list.ts";
import type { Identity } from "#contract/oidc.ts";
import type { PasswordChange, PasswordChanged } from "#contract/passwords.ts";
import type { Profile, ProfileUpdate } from "#contract/profile.ts";
import type { SessionList, SessionsEnded } from "#contract/sessions.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";

export function getProfile(): Promise<GatewayResult<Profile>> {
  return requestRoute("GET /account/profile");
}

export function updateProfile(body: ProfileUpdate): Promise<GatewayResult<Profile>> {
  return requestRoute("PATCH /account/profile", { body });
}

export function changePassword(body: PasswordChange): Promise<GatewayResult<PasswordChanged>> {
  return requestRoute("POST /account/password", { body });
}

export function listIdentities(): Promise<GatewayResult<{ data: Identity[] }>> {
  return requestRoute("GET /account/identities");
}

export function unlinkIdentity(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /account/identities/{id}", { params: { id } });
}

export function listSessions(): Promise<GatewayResult<SessionList>> {
  return requestRoute("GET /account/sessions");
}

export function endOneSession(id: string): Promise<GatewayResult<Deleted>> {
  return requestRoute("DELETE /account/sessions/{id}", { params: { id } });
}

export function endOtherSessions(): Promise<GatewayResult<SessionsEnded>> {
  return requestRoute("DELETE /account/sessions");
}
