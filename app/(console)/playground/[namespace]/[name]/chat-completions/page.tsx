import { ChatSettings } from "@/components/playground/chat/chat-settings";
import { ChatTab } from "@/components/playground/chat/chat-tab";
import { OperationPage, type PlaygroundRoute } from "../../../operation-page.tsx";

export { generateMetadata } from "../../../operation-page.tsx";

/**
 * Chats have a separate page, so that chats load only the code of conversations, and other operations only
 * the code of the form.
 */
export default async function ChatPlaygroundPage({ params, searchParams }: PlaygroundRoute) {
  const { namespace, name } = await params;
  return (
    <OperationPage
      id={`${namespace}/${name}`}
      apiType="chat-completions"
      search={await searchParams}
      views={{ chat: <ChatTab />, settings: <ChatSettings /> }}
    />
  );
}
