import { ChatSettings } from "@/components/playground/chat/chat-settings";
import { ChatTab } from "@/components/playground/chat/chat-tab";
import { OpenedTitle } from "@/components/playground/opened-title";
import { operationPage } from "../../../operation-page.tsx";

export { generateMetadata } from "../../../operation-page.tsx";

/**
 * Chats have a separate page, so that chats load only the code of conversations, and other operations only
 * the code of the form.
 */
export default operationPage(
  { chat: <ChatTab />, settings: <ChatSettings /> },
  { apiType: "chat-completions", Title: OpenedTitle },
);
