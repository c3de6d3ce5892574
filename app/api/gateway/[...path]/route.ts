import { relay } from "@/lib/server/gateway/relay";

interface Context {
  params: Promise<{ path: string[] }>;
}

async function handle(request: Request, context: Context): Promise<Response> {
  return relay(request, (await context.params).path);
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST };
