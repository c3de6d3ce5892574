"use client";

import { useState } from "react";
import type { Member } from "#contract/accounts/members.ts";
import type { Role } from "#contract/accounts/roles.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import type { GatewayFailure } from "@/lib/gateway/result";
import { useAccess } from "./access.tsx";
import { useOtherResponsible } from "./other-responsible.ts";
import { ResponsibleChoice } from "./responsible-choice.tsx";
import { RoleChoice } from "./role-choice.tsx";

interface RoleDialogProps {
  member: Member;
  members: readonly Member[];
  busy: boolean;
  failure: GatewayFailure | null;
  /** `answersTo` becomes responsible for the member's service keys; null leaves them unchanged. */
  onChange: (role: Role, answersTo: string | null) => void;
  onClose: () => void;
}

/** Changes a member's role and explains the consequences first. */
export function RoleDialog({ member, members, busy, failure, onChange, onClose }: RoleDialogProps) {
  const { userId, rolesWith } = useAccess();
  const others = useOtherResponsible(members, member);
  const [role, setRole] = useState(member.role);
  const [answersTo, setAnswersTo] = useState("");
  const isSelf = member.user_id === userId;
  const stopsAnswering = !rolesWith("attestations:answer").includes(role);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isSelf ? "Change your own role" : `Change the role of ${member.name}`}
      confirmLabel="Change role"
      busy={busy}
      failure={failure}
      onConfirm={() =>
        role === member.role ? onClose() : onChange(role, stopsAnswering ? answersTo || null : null)
      }
      body={
        <div className="space-y-3">
          <RoleChoice value={role} onChange={setRole} />
          {role === "owner" && member.role !== "owner" && (
            <p>
              An owner can do everything, remove you included. To hand the account over, make them owner and
              then change your own role or leave.
            </p>
          )}
          {isSelf && role !== member.role && <p>You cannot give yourself your current role back.</p>}
          {stopsAnswering && (
            <ResponsibleChoice
              subject={`${member.name} is`}
              keys={member.answers_for}
              others={others}
              value={answersTo}
              onChange={setAnswersTo}
            />
          )}
          <p>It takes effect within a second, in open pages too.</p>
        </div>
      }
    />
  );
}
