import {
  InvitationAccept,
  InvitationCreate,
  InvitationList,
  InvitationPreview,
  InvitationWithLink,
} from "../accounts/invitations.ts";
import { Member, MemberList, MemberUpdate } from "../accounts/members.ts";
import { PasswordReset } from "../accounts/passwords.ts";
import { LinkLookup } from "../accounts/person-fields.ts";
import { Session, SessionList, SessionsEnded } from "../accounts/sessions.ts";
import { Deleted, NoQuery, PageQuery } from "../list.ts";
import type { Routes } from "./route.ts";

export const memberRoutes = {
  "GET /account/members": {
    summary: "List the members of the account",
    permission: "members:read",
    extension: true,
    fromBrowser: true,
    query: NoQuery,
    answers: { 200: MemberList },
  },
  "PATCH /account/members/{user_id}": {
    summary: "Change a member's role or monthly budget",
    permission: "members:manage",
    extension: true,
    byClick: true,
    body: MemberUpdate,
    answers: { 200: Member },
  },
  "DELETE /account/members/{user_id}": {
    summary: "Remove a member, or leave",
    permission: "members:manage",
    orOneself: "user_id",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /account/members/{user_id}/reset": {
    summary: "Create a link with which a member sets a new password",
    permission: "members:manage",
    extension: true,
    answers: { 201: PasswordReset },
  },
  "GET /account/members/{user_id}/sessions": {
    summary: "List the sessions of a member",
    permission: "members:manage",
    orOneself: "user_id",
    extension: true,
    query: NoQuery,
    answers: { 200: SessionList },
  },
  "DELETE /account/members/{user_id}/sessions": {
    summary: "End the sessions of a member",
    permission: "members:manage",
    orOneself: "user_id",
    extension: true,
    byClick: true,
    answers: { 200: SessionsEnded },
  },
} as const satisfies Routes;

export const invitationRoutes = {
  "POST /account/invitations": {
    summary: "Invite somebody; only this answer contains the link",
    permission: "members:manage",
    extension: true,
    body: InvitationCreate,
    answers: { 201: InvitationWithLink },
  },
  "GET /account/invitations": {
    summary: "List invitations",
    permission: "members:manage",
    extension: true,
    fromBrowser: true,
    query: PageQuery,
    answers: { 200: InvitationList },
  },
  "DELETE /account/invitations/{id}": {
    summary: "Withdraw an invitation",
    permission: "members:manage",
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
  "POST /account/invitations/{id}/renew": {
    summary: "Renew an invitation with a new link for another week",
    permission: "members:manage",
    extension: true,
    answers: { 200: InvitationWithLink },
  },
  "POST /account/invitations/lookup": {
    summary: "Read an invitation by its link",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: InvitationPreview },
  },
  "POST /account/invitations/accept": {
    summary: "Accept an invitation",
    public: true,
    extension: true,
    body: InvitationAccept,
    answers: { 201: Session },
  },
} as const satisfies Routes;
