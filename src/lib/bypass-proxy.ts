/**
 * Exempts this computer from any configured proxy. Bun sends even local requests through HTTP_PROXY, and dictated text
 * must not go there. Requests to other hosts, such as the model hub, still use the proxy.
 */
export function bypassProxyLocally(env: NodeJS.ProcessEnv): void {
  const exempt = env.no_proxy ?? env.NO_PROXY ?? ''
  env.no_proxy = env.NO_PROXY = [exempt, '127.0.0.1', '::1', 'localhost'].filter(Boolean).join(',')
}
