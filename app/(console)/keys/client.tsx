"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState, useTransition } from "react";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { List } from "#contract/list.ts";
import { KeysList } from "@/components/keys/keys-list";
import { MemberFilter } from "@/components/team/member-filter";
import { Button } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { SearchFilter } from "@/components/ui/list/search-filter";
import { useListView } from "@/components/ui/list/use-list-view";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { GatewayResult } from "@/lib/gateway/result";
import { keyList } from "@/lib/lists";
import type { KeyQuestion } from "./key-dialogs";

const KeyDialogs = dynamic(() => import("./key-dialogs").then((module) => module.KeyDialogs), { ssr: false });

interface KeysClientProps {
  keys: GatewayResult<List<ApiKey>>;
  modelIds: string[];
  /** What keys cost this month, in words, by key id. */
  spent: Readonly<Record<string, string>>;
}

/** The account's keys: what each may do, until when, and when it was last used. */
export function KeysClient({ keys, modelIds, spent }: KeysClientProps) {
  const router = usePageRouter();
  const [question, setQuestion] = useState<KeyQuestion | null>(null);
  const [loading, startTransition] = useTransition();
  const { view, change, clear, active } = useListView(keyList, startTransition);
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
      {keys.ok && (active > 0 || keys.data.data.length > 0) && (
        <FilterBar active={active} onClear={clear}>
          <SearchFilter of="names" value={view.search} onChange={(search) => change({ search })} />
          <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
        </FilterBar>
      )}
      <div aria-busy={loading}>
        <KeysList
          keys={keys}
          spent={spent}
          filter={keyList.filterOf(view, Date.now())}
          onShowAll={active > 0 ? clear : null}
          onAdd={() => setQuestion({ about: "create" })}
          onWish={setQuestion}
          onRetry={() => router.refresh()}
        />
      </div>
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
