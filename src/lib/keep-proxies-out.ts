// Connections to this computer go past any proxy that the environment names.
// Those to elsewhere, such as the hub of models, take it.

/** Bun sends even what is meant for this computer through HTTP_PROXY: what was dictated must not go there. */
export function keepProxiesOut(env: NodeJS.ProcessEnv): void {
  const exempt = env.no_proxy ?? env.NO_PROXY ?? ''
  env.no_proxy = env.NO_PROXY = [exempt, '127.0.0.1', '::1', 'localhost'].filter(Boolean).join(',')
}
