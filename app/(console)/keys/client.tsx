"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { KeysList } from "@/components/keys/keys-list";
import { MemberFilter } from "@/components/team/member-filter";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { GatewayResult } from "@/lib/gateway/result";
import type { KeyQuestion } from "./key-dialogs";
import { keySearch } from "./search-params";

const KeyDialogs = dynamic(() => import("./key-dialogs").then((module) => module.KeyDialogs), { ssr: false });

interface KeysClientProps {
  keys: GatewayResult<List<ApiKey>>;
  modelIds: string[];
}

/** The account's keys: what each may do, until when, and when it was last used. */
export function KeysClient({ keys, modelIds }: KeysClientProps) {
  const router = usePageRouter();
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const [search, setSearch] = useQueryStates(keySearch, { history: "push", shallow: false });
  const ofMember = (user_id: string) => void setSearch({ user_id, after: null, before: null });
  const canAdd = keys.ok || keys.error.code !== "route_not_found";

  return (
    <>
      <PageHeader
        title="Keys"
        description="Your programs use account keys to call the gateway. Limit each key to what its program needs."
        actions={
          canAdd && (
            <Button
              variant="primary"
              icon={<Plus size={16} aria-hidden />}
              onClick={() => setQuestion({ about: "create" })}
            >
              Create key
            </Button>
          )
        }
      />
      {keys.ok && (
        <div className="mb-3 max-w-60 empty:hidden">
          <MemberFilter value={search.user_id} onChange={ofMember} />
        </div>
      )}
      <KeysList
        keys={keys}
        onShowAll={search.user_id ? () => ofMember("") : null}
        onAdd={() => setQuestion({ about: "create" })}
        onBudget={(key) => setQuestion({ about: "budget", key })}
        onRotate={(key) => setQuestion({ about: "rotate", key })}
        onRevoke={(key) => setQuestion({ about: "revoke", key })}
        onRetry={() => router.refresh()}
      />
      {question && (
        <KeyDialogs
          question={question}
          modelIds={modelIds}
          onClose={() => setQuestion(null)}
          onChanged={() => {
            setQuestion(null);
            router.refresh();
          }}
        />
      )}
    </>
  );
}
