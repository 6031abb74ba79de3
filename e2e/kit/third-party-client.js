// A page that somebody else has written against the API: DataTables and Select2 as their manuals say, nothing of Narval.
const cookie = name => document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1] ?? ''
let bearer = ''
const headers = () => ({ Authorization: `Bearer ${bearer}`, 'X-XSRF-TOKEN': cookie('XSRF-TOKEN') })

/** Keeps the bearer token in memory; the XSRF token stays in its cookie, where the first GET has put it. */
globalThis.signIn = async (login, password) => {
  await fetch('/api/Parameter/Public')
  const response = await fetch('/api/Authentication/Login', {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'application/json' },
    body: JSON.stringify({ login, password, uuid: crypto.randomUUID() }),
  })
  bearer = (await response.json()).token
}

/** A server-side DataTable on a controller; `options` are added to its own. */
globalThis.openTable = (controller, columns, options = {}) => {
  document.querySelector('main').innerHTML = '<table></table><output></output>'
  const table = new DataTable('table', {
    serverSide: true,
    processing: true,
    searchDelay: 50,
    lengthMenu: [10, 25, { label: 'Toutes', value: -1 }],
    columns: columns.map(data => ({
      title: data ?? 'Actions',
      data,
      orderable: data !== null,
      searchable: data !== null,
    })),
    ajax: {
      url: `/api/${controller}`,
      type: 'PUT',
      contentType: 'application/json',
      beforeSend: request => {
        for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value)
      },
      data: body => JSON.stringify(body),
      error: request => {
        document.querySelector('output').textContent = JSON.parse(request.responseText).errors.join(' ')
      },
    },
    ...options,
  })
  globalThis.table = table
}

/** A Select2 on one of the paths for it. */
globalThis.openChoice = path => {
  if (jQuery('select').data('select2')) jQuery('select').select2('destroy')
  document.querySelector('main').innerHTML = '<select style="width: 20em"></select>'
  jQuery('select').select2({ ajax: { url: `/api/${path}`, dataType: 'json', delay: 50, headers: headers() } })
}
