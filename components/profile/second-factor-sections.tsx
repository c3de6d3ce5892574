"use client";

import { Fingerprint, KeyRound, Pencil, Smartphone, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Passkey, SecondFactor } from "#contract/accounts/second-factor.ts";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { actionsHead, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { formatCount } from "@/lib/format";
import type { SecondFactorQuestion } from "./second-factor-dialogs.tsx";

const SecondFactorDialogs = dynamic(
  () => import("./second-factor-dialogs.tsx").then((module) => module.SecondFactorDialogs),
  { ssr: false },
);

interface SecondFactorSectionsProps {
  state: SecondFactor;
  /** The console's address if browsers do not allow passkeys there. Null: they do. */
  passkeysBarredAt: string | null;
}

/** With fewer codes left than this, the page recommends new ones. */
const fewCodes = 3;

/** Passkeys, authenticator app and recovery codes of the signed-in person. */
export function SecondFactorSections({ state, passkeysBarredAt }: SecondFactorSectionsProps) {
  const router = usePageRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<SecondFactorQuestion | null>(null);
  useAsked("passkey", passkeysBarredAt === null && (() => setQuestion({ about: "add-passkey" })));
  const { passkeys, totp, recovery_codes_left: codesLeft } = state;
  const hasAny = passkeys.length > 0 || totp !== null;

  return (
    <>
      <Section
        title="Passkeys"
        description="Sign in with your fingerprint, face or device PIN, without a password. Passkeys cannot be phished."
        actions={
          passkeysBarredAt === null && (
            <Button
              icon={<Fingerprint size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "add-passkey" })}
            >
              Add passkey
            </Button>
          )
        }
      >
        {passkeysBarredAt !== null && (
          <p className="mb-2 rounded-control bg-warn-soft p-3">
            Browsers allow passkeys over https and on localhost only. This console's address is{" "}
            <span className="font-mono wrap-anywhere">{passkeysBarredAt}</span>. The person who runs Gatehouse
            can change that with <code>CONSOLE_PUBLIC_URL</code>.
          </p>
        )}
        {passkeys.length > 0 ? (
          <PasskeyTable
            passkeys={passkeys}
            onRename={(passkey) => setQuestion({ about: "rename-passkey", passkey })}
            onRemove={(passkey) => setQuestion({ about: "remove-passkey", passkey })}
          />
        ) : (
          <p className="text-muted">No passkey yet.</p>
        )}
      </Section>
      <Section
        title="Authenticator app"
        description="An app on your phone shows a six-digit code, which you type after your password."
        actions={
          <>
            <Button
              icon={<Smartphone size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "set-up-totp" })}
            >
              {totp ? "Set up another" : "Set up app"}
            </Button>
            {totp && <Button onClick={() => setQuestion({ about: "remove-totp" })}>Remove app</Button>}
          </>
        }
      >
        <p className="text-muted">
          {totp ? (
            <>
              Set up <Time value={totp.created_at} />
              {totp.last_used_at && (
                <>
                  , last used <Time value={totp.last_used_at} />
                </>
              )}
            </>
          ) : (
            "Not set up."
          )}
        </p>
      </Section>
      {hasAny && (
        <Section
          title="Recovery codes"
          description="Recovery codes are for the case that you lose your phone or passkey. Without codes, only an operator of Gatehouse can restore your access."
          actions={
            <Button
              icon={<KeyRound size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "renew-codes" })}
            >
              Create new codes
            </Button>
          }
        >
          <p className={codesLeft < fewCodes ? "rounded-control bg-warn-soft p-3" : "text-muted"}>
            {formatCount(codesLeft, "code")} left.
            {codesLeft < fewCodes && " Create new ones before you run out."}
          </p>
        </Section>
      )}
      {question && (
        <SecondFactorDialogs
          question={question}
          state={state}
          onClose={() => setQuestion(null)}
          onChanged={(news) => {
            setQuestion(null);
            toast({ title: news });
            router.refresh();
          }}
        />
      )}
    </>
  );
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[];
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
}

function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps) {
  return (
    <RowsTable
      label="Passkeys"
      rows={passkeys}
      columns={[
        {
          head: "Name",
          cell: ({ name, synced }) => (
            <>
              <span className="font-medium wrap-anywhere">{name}</span> {synced && <Badge>Synced</Badge>}
            </>
          ),
        },
        { head: "Added", cell: ({ created_at }) => <Time value={created_at} /> },
        {
          head: "Last used",
          cell: ({ last_used_at: used }) => (used ? <Time value={used} /> : "Never"),
        },
        {
          head: actionsHead,
          cell: (passkey) => (
            <RowControls className="w-full justify-end">
              <IconButton
                size="sm"
                label={`Rename ${passkey.name}`}
                icon={<Pencil size={14} aria-hidden />}
                onClick={() => onRename(passkey)}
              />
              <IconButton
                size="sm"
                label={`Remove ${passkey.name}`}
                icon={<Trash2 size={14} aria-hidden />}
                onClick={() => onRemove(passkey)}
              />
            </RowControls>
          ),
        },
      ]}
    />
  );
}
