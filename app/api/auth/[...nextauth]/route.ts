import { type NextRequest, NextResponse } from "next/server";
import NextAuth from "next-auth";
import { preferencesCookie } from "@/lib/preferences";
import { answerAuth, answerPasskeyOptions, authOptions } from "@/lib/server/auth-options";
import {
  languageCookieOf,
  openCookie,
  personCookieOf,
  sessionCookieName,
  sessionTokenOf,
} from "@/lib/server/session-cookie";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  return answerAuth(request, nextauth, async (bounded) =>
    nextauth[0] === "passkey-options"
      ? answerPasskeyOptions(bounded)
      : withOwnCookies(bounded, await NextAuth(authOptions())(bounded, context)),
  );
}

/**
 * When the response sets the cookie of a new session, also sets the cookie that identifies the session's
 * person, and their language.
 */
async function withOwnCookies(request: NextRequest, answer: Response): Promise<Response> {
  const response = new NextResponse(answer.body, answer);
  const session = sessionTokenOf(await openCookie(response.cookies.get(sessionCookieName())?.value));
  if (!session) return response;
  response.cookies.set(personCookieOf(session));
  const language = languageCookieOf(session, request.cookies.get(preferencesCookie)?.value);
  if (language) response.cookies.set(language);
  return response;
}

export { handle as GET, handle as POST };
