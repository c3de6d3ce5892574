export { endProviderSignIn as GET } from "@/lib/server/provider-sign-in";
