"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ApiKey, ApiKeyWithSecret } from "#contract/account.ts";
import type { List } from "#contract/list.ts";
import { CreateKeyDialog } from "@/components/keys/create-key-dialog";
import { KeysList } from "@/components/keys/keys-list";
import { RotateKeyDialog } from "@/components/keys/rotate-key-dialog";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { failureToast } from "@/components/ui/failure-toast";
import { PageHeader } from "@/components/ui/page-header";
import { useToast } from "@/components/ui/toast";
import { SecretDialog } from "@/components/webhooks/secret-dialog";
import { settled } from "@/lib/browser/settled";
import type { GatewayResult } from "@/lib/gateway/result";
import { addKey, replaceKey, withdrawKey } from "./actions";

interface KeysClientProps {
  keys: GatewayResult<List<ApiKey>>;
  modelIds: string[];
}

type Question = { about: "create" } | { about: "rotate" | "revoke"; key: ApiKey } | null;

/** The account's keys: what each may do, until when, and when it was last used. */
export function KeysClient({ keys, modelIds }: KeysClientProps) {
  const router = useRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<Question>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => setQuestion(null);
  const canAdd = keys.ok || keys.error.code !== "route_not_found";

  /** Runs one change; a failure is told and leaves the question open. */
  const change = async <Data,>(call: Promise<GatewayResult<Data>>, done: (data: Data) => void) => {
    setBusy(true);
    const answer = await settled(call);
    setBusy(false);
    if (!answer.ok) return toast(failureToast(answer.error));
    close();
    done(answer.data);
  };
  const show = (key: ApiKeyWithSecret) => {
    close();
    setSecret(key.secret);
  };

  return (
    <>
      <PageHeader
        title="Keys"
        description="Account keys are how your programs call the gateway. Each can be limited to what its program needs."
        actions={
          canAdd && (
            <Button
              variant="primary"
              icon={<Plus size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "create" })}
            >
              Make a key
            </Button>
          )
        }
      />
      <KeysList
        keys={keys}
        onAdd={() => setQuestion({ about: "create" })}
        onRotate={(key) => setQuestion({ about: "rotate", key })}
        onRevoke={(key) => setQuestion({ about: "revoke", key })}
        onRetry={() => router.refresh()}
      />
      <CreateKeyDialog
        open={question?.about === "create"}
        modelIds={modelIds}
        create={addKey}
        onCreated={show}
        onClose={close}
      />
      {question?.about === "rotate" && (
        <RotateKeyDialog
          name={question.key.name}
          busy={busy}
          onClose={close}
          onRotate={(graceSeconds) => change(replaceKey(question.key.id, graceSeconds), show)}
        />
      )}
      <ConfirmDialog
        open={question?.about === "revoke"}
        onOpenChange={close}
        title="Revoke this key?"
        body={`Programs that use “${question?.about === "revoke" ? question.key.name : ""}” are refused within five seconds. This cannot be undone.`}
        confirmLabel="Revoke key"
        tone="bad"
        busy={busy}
        onConfirm={() => {
          if (question?.about !== "revoke") return;
          change(withdrawKey(question.key.id), () => {
            toast({ title: "Key revoked" });
            router.refresh();
          });
        }}
      />
      <SecretDialog
        secret={secret}
        name="account key"
        envName="GATEHOUSE_API_KEY"
        onDone={() => {
          setSecret(null);
          router.refresh();
        }}
      />
    </>
  );
}
