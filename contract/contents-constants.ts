/** The most chats in one export of contents. */
export const maxExportedChats = 10_000;
