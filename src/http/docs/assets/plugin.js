// A Swagger UI plugin: a filter for several words, code samples, problems by their codes, and faster parsing.

import { chosenBody, requestOf } from './request.js'
import { outlineOf, resolveSubtree } from './resolve.js'
import { samplesOf } from './samples.js'

/** Problems that any route may return; only the table of the page lists them. */
const ANYWHERE =
  /^(peer_|host_not|origin_not|cross_site|internal_error|database_damaged|storage_un|no_handles)/

export function plugin({ React }) {
  const element = React.createElement
  const nothing = () => null
  let described = {}
  return {
    fn: { resolveSubtree: (_outline, path) => resolveSubtree(described, path), opsFilter: findOperations },
    components: {
      // The page has its own header, its server is the only one, and it shows a sample before sending anything. Empty
      // values are never sent, so no checkbox for them is needed.
      ...{ InfoContainer: nothing, ServersContainer: nothing, curl: nothing, ParameterIncludeEmpty: nothing },
      Samples: samplesComponent(React),
    },
    wrapComponents: {
      // Inside a button; the address of an operation changes when it opens.
      DeepLink: () => (props) => element('span', null, props.text),
      parameters: (Original, system) => (props) => {
        const [path, method] = props.pathMethod
        const fields = formOf(chosenBody({ ...system, path, method }))
        // Hides query parameters that are also fields of the form.
        const parameters = props.parameters.filter(
          (one) => one.get('in') !== 'query' || !fields.has(one.get('name')),
        )
        return element(
          ...[React.Fragment, null, element(Original, { ...props, parameters })],
          element(system.getComponent('Samples', true), { path, method }),
        )
      },
      responses:
        (Original, { specSelectors }) =>
        (props) =>
          element(
            ...[React.Fragment, null, element(Original, props)],
            problemsOf(element, specSelectors.specResolvedSubtree(['paths', props.path, props.method])),
          ),
    },
    statePlugins: {
      spec: {
        wrapActions: {
          // Swagger UI would parse the document as YAML, which takes a second for its size.
          parseToJson:
            (_original, { specActions }) =>
            (text) => {
              described = JSON.parse(text)
              return specActions.updateJsonSpec(outlineOf(described))
            },
        },
      },
      layout: {
        wrapSelectors: {
          // Expands what the filter found.
          isShown:
            (original) =>
            (state, thing, ...usual) =>
              (thing[0] === 'operations-tag' && isPhrase(state.get('filter'))) || original(thing, ...usual),
        },
      },
    },
  }
}

const formOf = (chosen) =>
  new Set(
    chosen?.mediaType.startsWith('multipart/') ? chosen.media.getIn(['schema', 'properties']).keys() : [],
  )

/** The filter is `true` until the user has typed something. */
const isPhrase = (filter) => typeof filter === 'string' && filter !== '' && filter !== 'true'

/** The operations whose resource, address, method and summary together contain all words. */
function findOperations(resources, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  return resources
    .map((resource, tag) =>
      resource.set(
        'operations',
        resource.get('operations').filter((one) => {
          const summary = one.getIn(['operation', 'summary']) ?? ''
          const told = `${tag} ${one.get('method')} ${one.get('path')} ${summary}`.toLowerCase()
          return words.every((word) => told.includes(word))
        }),
      ),
    )
    .filter((resource) => resource.get('operations').size > 0)
}

function samplesComponent(React) {
  const element = React.createElement
  return function Samples(props) {
    const [language, choose] = React.useState('curl')
    if (!props.specSelectors.specResolvedSubtree(['paths', props.path, props.method])) return null
    const samples = samplesOf(requestOf(props))
    const tabs = Object.keys(samples).map((name) =>
      element(
        'button',
        { key: name, type: 'button', 'aria-pressed': name === language, onClick: () => choose(name) },
        name,
      ),
    )
    return element(
      ...['div', { className: 'samples' }],
      element('div', { role: 'group', 'aria-label': 'Language of the sample' }, tabs),
      element('pre', null, element('code', null, samples[language])),
    )
  }
}

/** Webhooks have none, because other servers respond to them. */
function problemsOf(element, operation) {
  if (!operation) return null
  const codes = operation.get('x-problems').filter((code) => !ANYWHERE.test(code))
  const links = codes.flatMap((code) => [
    ' ',
    element('a', { key: code, href: `#problem-${code}`, onClick: showProblem }, code),
  ])
  return element(
    'p',
    { className: 'fails-with' },
    'Fails with',
    ...links,
    ' and with what any route may return.',
  )
}

/** Scrolls without changing the URL fragment, which names the open operation. */
function showProblem(event) {
  event.preventDefault()
  document.querySelector('#problems').open = true
  document.querySelector(event.target.hash).scrollIntoView({ block: 'center' })
}
