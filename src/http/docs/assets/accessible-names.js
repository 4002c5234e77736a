// Gives Swagger UI's fields, responses and examples the names and the focus that they lack for screen readers and keys.

const FIELDS = 'select, textarea, input:not([type=hidden])'

/** Renders after each press of a key; names follow in the next frame. */
export function nameFields(root) {
  let isPending = false
  const update = () => {
    isPending = false
    for (const field of root.querySelectorAll(FIELDS)) nameField(field)
    for (const table of root.querySelectorAll('table.responses-table:not([aria-label])'))
      table.setAttribute(
        'aria-label',
        `Responses of ${table.id.replace(/_responses$/, '').replaceAll('_', ' ')}`,
      )
    for (const filter of root.querySelectorAll('.filter')) filter.setAttribute('role', 'search')
    for (const input of root.querySelectorAll('.operation-filter-input'))
      input.placeholder = 'Search the routes: delete capture, PATCH, style …'
    // The resources come right below the title of the page.
    for (const heading of root.querySelectorAll('h3, h4, h5')) heading.ariaLevel = heading.tagName[1] - 1
    for (const box of root.querySelectorAll('pre:not([tabindex])')) box.tabIndex = 0
  }
  new MutationObserver(() => {
    if (isPending) return
    isPending = true
    requestAnimationFrame(update)
  }).observe(root, { childList: true, subtree: true })
}

function nameField(field) {
  if (field.hasAttribute('aria-label') || field.labels?.length > 0) return
  field.setAttribute('aria-label', nameOf(field))
}

function nameOf(field) {
  if (field.matches('.operation-filter-input')) return 'Filter the routes'
  const owner = field.closest('[data-param-name], [data-property-name]')?.dataset
  const name = owner?.propertyName ?? owner?.paramName
  return name ?? (field.matches('select') ? 'Media type' : 'Value')
}
