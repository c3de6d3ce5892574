"use client";

import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { personFields, type Role, reachesRole, roles } from "#contract/accounts/constants.ts";
import { readEmail, resembles } from "#contract/accounts/email-address.ts";
import type { InvitationCreate, InvitationWithLink, Member } from "#contract/accounts/team.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Chosen, TextField } from "@/components/ui/form/bound-fields";
import { InputField, SelectField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { ResourceDialog } from "@/components/ui/form/resource-dialog";
import { Time } from "@/components/ui/time";
import { settle } from "@/lib/browser/action-answer";
import { copyText } from "@/lib/browser/copy-text";
import { invite } from "@/lib/gateway/secret-actions";
import { type Language, languages } from "@/messages/languages";
import { useAccess } from "./access.tsx";

interface InviteDialogProps {
  members: readonly Member[];
  onInvited: (invitation: InvitationWithLink) => void;
  onClose: () => void;
}

export function InviteDialog({ members, onInvited, onClose }: InviteDialogProps) {
  const t = useWords("team");
  const fields = useWords("fields");
  return (
    <ResourceDialog<InvitationCreate>
      title={t("inviteSomebody")}
      description={t("youGetALinkWhich2")}
      defaults={{ email: "", role: "member", language: t.language }}
      submitLabel={t("createLink")}
      save={(values) => settle(invite(values), onInvited)}
      onClose={onClose}
    >
      {(form) => {
        const alike = memberAlike(form.watch("email"), members);
        return (
          <>
            <TextField
              form={form}
              name="email"
              rule={personFields.email}
              label={t("eMail")}
              hint={t("theInvitationIsForThis")}
              check={(email) => {
                const read = readEmail(email);
                return "fault" in read ? fields("emailFault", { reason: read.reason }) : true;
              }}
              type="email"
            />
            {alike && (
              <p role="status" className="rounded-control bg-warn-soft p-3 text-ink wrap-anywhere">
                {t.rich(
                  "addressLooksLike",
                  { name: alike.name, email: alike.email ?? "" },
                  { b: (text) => <b key="email">{text}</b> },
                )}
              </p>
            )}
            <Chosen form={form} name="role">
              {({ value, onChange }) => <RoleChoice value={value} onChange={onChange} />}
            </Chosen>
            <Chosen form={form} name="language">
              {({ value, onChange }) => (
                <SelectField<Language>
                  label={fields("languageOfMail")}
                  value={value ?? t.language}
                  options={Object.entries(languages) as [Language, string][]}
                  onValue={onChange}
                />
              )}
            </Chosen>
          </>
        );
      }}
    </ResourceDialog>
  );
}

/** A member whose address could be mistaken for this one. */
function memberAlike(text: string, members: readonly Member[]): Member | undefined {
  const read = readEmail(text);
  if ("fault" in read) return undefined;
  return members.find(({ email }) => email !== null && resembles(read.address, email));
}

/** The roles with their rights. The person cannot choose a role above theirs. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useWords("team");
  const shell = useWords("shell");
  const meanings = useWords("roles");
  const { role: own } = useAccess();
  return (
    <RadioGroup
      legend={t("role")}
      value={value}
      onChange={onChange}
      options={roles.map((role) => {
        const reached = own === null || reachesRole(own, role);
        return {
          value: role,
          label: shell("roleName", { role }),
          hint: reached ? meanings.text(role) : t("roleAbove", { meaning: meanings.text(role), role }),
          disabled: !reached,
        };
      })}
    />
  );
}

interface LinkDialogProps {
  title: string;
  url: string;
  expiresAt: string;
  children: ReactNode;
  onClose: () => void;
}

/** Shows a one-time link, which cannot be shown again. */
export function LinkDialog({ title, url, expiresAt, children, onClose }: LinkDialogProps) {
  const t = useWords("team");
  const [news, setNews] = useState("");
  const [copied, setCopied] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const copy = async () => {
    try {
      await copyText(url);
      setNews(t("copied"));
      setCopied(true);
      setLeaving(false);
    } catch {
      setNews(t("couldNotCopy"));
    }
  };
  return (
    <Dialog
      open
      // A single Escape must not lose a link that is shown only once.
      onOpenChange={() => (copied || leaving ? onClose() : setLeaving(true))}
      overlayCloses={false}
      title={title}
      footer={
        <>
          {leaving && (
            <p role="alert" className="min-w-48 flex-1 text-base text-ink">
              {t("theLinkIsNotCopied")}
            </p>
          )}
          <Button onClick={onClose}>{leaving ? t("closeWithoutCopying") : t("done")}</Button>
          <Button variant="primary" data-autofocus icon={<Copy size={16} aria-hidden />} onClick={copy}>
            {t("copyLink")}
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <p className="text-muted">{children}</p>
        <InputField
          label={t("link")}
          hint={t.rich(
            "shownOnlyOnce",
            {},
            { time: () => <Time key="time" value={expiresAt} mode="absolute" /> },
          )}
          readOnly
          value={url}
          mono
          look="text-table"
          onFocus={(event) => event.currentTarget.select()}
        />
        <p role="status" className="min-h-5 text-table text-muted">
          {news}
        </p>
      </div>
    </Dialog>
  );
}
