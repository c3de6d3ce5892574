import { cache } from "react";
import type { RequestDetail } from "#contract/usage.ts";
import { page } from "@/app/console-page";
import { RequestReport } from "@/components/audit/request-report";
import type { RouteProps } from "@/lib/page-props";
import { requestList } from "@/lib/request-list";
import { requestAdvice } from "@/lib/requests/request-advice";
import { getAccount, getKeyNames, getMemberNames } from "@/lib/server/gateway/reads";
import { requestRoute } from "@/lib/server/gateway/request";
import { words } from "@/lib/server/words";
import { failureInShort, firstSentence, loadFailureWords } from "@/lib/status/failure-words";
import type { Language } from "@/messages/languages";

/** Cached, so that the title and the page share one request. */
const readRequest = cache((id: string) => requestRoute("GET /requests/{id}", { params: { id } }));

export async function generateMetadata({ params }: RouteProps<{ id: string }>) {
  const request = await readRequest((await params).id);
  if (!request.ok) return { title: (await words("requests"))("requestNotFound") };
  const { method, route, status, code } = request.data;
  return { title: `${method} ${route}: ${status}${code ? ` ${code}` : ""}` };
}

export default page<"id", "requests">(
  { title: "request", parts: ["requests", "askedGuards", "media", "presets", "amounts"] },
  async ({ t, session, params: { id }, search, baseUrl, need }) => {
    const [request, account, keyNames, memberNames] = await Promise.all([
      need(readRequest(id)),
      getAccount(),
      getKeyNames(),
      getMemberNames(),
    ]);
    return (
      <RequestReport
        key={id}
        request={request}
        advice={requestAdvice(t, request, account.ok && account.data.permissions.includes("aliases:manage"))}
        reason={await reasonOf(t.language, request)}
        names={{ ...keyNames, ...memberNames }}
        view={requestList.viewOf(search)}
        accountId={session.accountId}
        baseUrl={baseUrl}
      />
    );
  },
);

/** Why the request failed, in another language than English: the caller got an English sentence. */
async function reasonOf(
  language: Language,
  { code, status }: Pick<RequestDetail, "code" | "status">,
): Promise<string | null> {
  if (language === "en" || code === null || status < 400) return null;
  const text = failureInShort(await loadFailureWords(language), { code });
  return text === null || text === code ? null : firstSentence(text);
}
