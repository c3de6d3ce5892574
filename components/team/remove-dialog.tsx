"use client";

import { useState } from "react";
import type { Member } from "#contract/accounts/members.ts";
import { ConfirmDialog } from "@/components/ui/dialog";
import type { GatewayFailure } from "@/lib/gateway/result";
import { useOtherResponsible } from "./other-responsible.ts";
import { ResponsibleChoice } from "./responsible-choice.tsx";

interface RemoveDialogProps {
  member: Member;
  members: readonly Member[];
  accountName: string;
  leaving: boolean;
  busy: boolean;
  failure: GatewayFailure | null;
  onRemove: (answersTo: string | null) => void;
  onClose: () => void;
}

/** Removes a member, or lets a person leave: says what ends and what stays. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { member, members, accountName, leaving, busy, failure, onRemove, onClose } = props;
  const [answersTo, setAnswersTo] = useState("");
  const others = useOtherResponsible(members, member);
  const whose = leaving ? "Your" : "Their";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={leaving ? `Leave ${accountName}?` : `Remove ${member.name}?`}
      confirmLabel={leaving ? "Leave" : "Remove member"}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() => onRemove(answersTo || null)}
      body={
        <div className="space-y-3">
          <div>
            <p className="font-medium text-ink">Ends within a second</p>
            <ul className="list-disc pl-5">
              <li>{whose} sessions in this account, open pages and streams included</li>
              <li>{whose} personal keys</li>
              <li>Invitation and reset links that {leaving ? "you" : "they"} made</li>
            </ul>
          </div>
          <div>
            <p className="font-medium text-ink">Stays</p>
            <ul className="list-disc pl-5">
              <li>Predictions, uploads and deliveries, with {leaving ? "your" : "their"} name</li>
              <li>Service keys</li>
            </ul>
          </div>
          <ResponsibleChoice
            subject={leaving ? "You are" : `${member.name} is`}
            keys={member.answers_for}
            others={others}
            value={answersTo}
            onChange={setAnswersTo}
          />
          <p>To come back {leaving ? "you need" : "they need"} a new invitation.</p>
        </div>
      }
    />
  );
}
