// A request as curl, JavaScript and Python code, with only the fields that the user has filled in.

/**
 * @param request `{ method, url, headers, fields, json, text, upload, answersJson }`: `fields` are `{ name, value }` or
 * `{ name, file }` of a form, `json` and `text` a body as typed, `upload` the name of a file that is the body
 */
export const samplesOf = (request) => ({
  curl: curlOf(request),
  JavaScript: javascriptOf(request),
  Python: pythonOf(request),
})

function curlOf({ method, url, headers, fields, json, text = json, upload }) {
  const usual = fields || text !== undefined || upload ? 'POST' : 'GET'
  return [
    `curl${method === usual ? '' : ` -X ${method}`} ${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    // With -F, curl would read a value that begins with @ or < from a file.
    ...(fields ?? []).map(({ name, file, value }) =>
      file
        ? `-F ${shell(`${name}=@${file}`)}`
        : `${/^[@<]/.test(value) ? '--form-string' : '-F'} ${shell(`${name}=${value}`)}`,
    ),
    ...(text === undefined ? [] : [`--data-raw ${shell(text)}`]),
    ...(upload ? [`--data-binary ${shell(`@${upload}`)}`] : []),
  ].join(' \\\n  ')
}

const shell = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

function javascriptOf({ method, url, headers, fields, json, text, upload, answersJson }) {
  const form = fields
    ? [
        'const form = new FormData()',
        ...fields.map(({ name, file, value }) => `form.append('${name}', ${file ? 'file' : literal(value)})`),
      ]
    : []
  const named =
    fields?.some(({ file }) => file) || upload
      ? [`// file: a File or Blob, as an <input type="file"> gives it`]
      : []
  const typed = json === undefined ? text && literal(text) : `JSON.stringify(${json})`
  const body = fields ? 'form' : upload ? 'file' : typed
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(headers).length > 0 ? [`  headers: ${JSON.stringify(headers)},`] : []),
    ...(body === undefined ? [] : [`  body: ${body},`]),
  ]
  const call = options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''
  return [
    ...named,
    ...form,
    `const response = await fetch(${literal(url)}${call})`,
    `console.log(await response.${answersJson ? 'json' : 'text'}())`,
  ].join('\n')
}

function pythonOf({ method, url, headers, fields, json, text, upload, answersJson }) {
  const files = fields?.filter(({ file }) => file) ?? []
  const plain = fields?.filter(({ file }) => !file) ?? []
  const pairs = plain.map(({ name, value }) => `(${literal(name)}, ${literal(value)})`)
  const opened = files.map(({ name, file }) => `${literal(name)}: open(${literal(file)}, 'rb')`)
  const given = [
    ...(Object.keys(headers).length > 0 && json === undefined ? [`headers=${pythonValue(headers)}`] : []),
    ...(opened.length > 0 ? [`files={${opened.join(', ')}}`] : []),
    ...(pairs.length > 0 ? [`data=[${pairs.join(', ')}]`] : []),
    ...(json === undefined ? [] : pythonJson(json, headers)),
    ...(text === undefined ? [] : [`data=${literal(text)}.encode()`]),
    ...(upload ? [`data=open(${literal(upload)}, 'rb')`] : []),
  ]
  const lines = [literal(url), ...given].map((line) => `    ${line},`).join('\n')
  const call = given.length > 0 ? `\n${lines}\n` : literal(url)
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(${call})`,
    `print(response.${answersJson ? 'json()' : 'text'})`,
  ].join('\n')
}

/** JSON may be incomplete while the user types. */
function pythonJson(json, { 'Content-Type': _ours, ...headers }) {
  const others = Object.keys(headers).length > 0 ? [`headers=${pythonValue(headers)}`] : []
  try {
    return [...others, `json=${pythonValue(JSON.parse(json))}`]
  } catch {
    return [...others, `data=${literal(json)}`]
  }
}

function pythonValue(value) {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return literal(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, part]) => `${literal(name)}: ${pythonValue(part)}`)
    .join(', ')}}`
}

/** A string literal that is valid in JavaScript and Python. */
const literal = (text) =>
  `'${JSON.stringify(String(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
