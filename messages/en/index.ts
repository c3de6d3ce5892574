import activity from "./activity.ts";
import aliases from "./aliases.ts";
import amounts from "./amounts.ts";
import askedGuards from "./asked-guards.ts";
import attestations from "./attestations.ts";
import auditLog from "./audit-log.ts";
import authorize from "./authorize.ts";
import batches from "./batches.ts";
import catalog from "./catalog.ts";
import causes from "./causes.ts";
import charts from "./charts.ts";
import compare from "./compare.ts";
import connections from "./connections.ts";
import conversations from "./conversations.ts";
import destinations from "./destinations.ts";
import fields from "./fields.ts";
import guards from "./guards.ts";
import guides from "./guides.ts";
import home from "./home.ts";
import identityProvider from "./identity-provider.ts";
import inputForm from "./input-form.ts";
import joining from "./joining.ts";
import jsonFault from "./json-fault.ts";
import keys from "./keys.ts";
import library from "./library.ts";
import links from "./links.ts";
import load from "./load.ts";
import mail from "./mail.ts";
import mapping from "./mapping.ts";
import media from "./media.ts";
import metadata from "./metadata.ts";
import missing from "./missing.ts";
import notes from "./notes.ts";
import noticePages from "./notice-pages.ts";
import nouns from "./nouns.ts";
import operator from "./operator.ts";
import operatorAccounts from "./operator-accounts.ts";
import operatorHealth from "./operator-health.ts";
import operatorModels from "./operator-models.ts";
import operatorPages from "./operator-pages.ts";
import operatorSteps from "./operator-steps.ts";
import operatorUsage from "./operator-usage.ts";
import pages from "./pages.ts";
import palette from "./palette.ts";
import playground from "./playground.ts";
import predictions from "./predictions.ts";
import presets from "./presets.ts";
import prices from "./prices.ts";
import profile from "./profile.ts";
import provenance from "./provenance.ts";
import providerPresets from "./provider-presets.ts";
import providers from "./providers.ts";
import publicPages from "./public-pages.ts";
import purposes from "./purposes.ts";
import reference from "./reference.ts";
import reports from "./reports.ts";
import requests from "./requests.ts";
import roles from "./roles.ts";
import secrets from "./secrets.ts";
import sentences from "./sentences.ts";
import setUp from "./set-up.ts";
import settings from "./settings.ts";
import shares from "./shares.ts";
import shell from "./shell.ts";
import shortcuts from "./shortcuts.ts";
import signIn from "./sign-in.ts";
import signInProblems from "./sign-in-problems.ts";
import states from "./states.ts";
import status from "./status.ts";
import team from "./team.ts";
import ui from "./ui.ts";
import uploads from "./uploads.ts";
import usage from "./usage.ts";
import webhooks from "./webhooks.ts";

export default {
  activity,
  identityProvider,
  roles,
  team,
  settings,
  aliases,
  amounts,
  askedGuards,
  attestations,
  auditLog,
  authorize,
  batches,
  catalog,
  causes,
  charts,
  compare,
  connections,
  conversations,
  destinations,
  fields,
  guards,
  guides,
  home,
  inputForm,
  joining,
  jsonFault,
  keys,
  library,
  links,
  load,
  mail,
  mapping,
  media,
  metadata,
  missing,
  notes,
  noticePages,
  nouns,
  operator,
  operatorAccounts,
  operatorHealth,
  operatorModels,
  operatorPages,
  operatorSteps,
  operatorUsage,
  pages,
  palette,
  playground,
  predictions,
  presets,
  prices,
  profile,
  provenance,
  providerPresets,
  providers,
  publicPages,
  purposes,
  reference,
  reports,
  requests,
  secrets,
  sentences,
  setUp,
  shares,
  shell,
  shortcuts,
  signIn,
  signInProblems,
  states,
  status,
  ui,
  uploads,
  usage,
  webhooks,
};
