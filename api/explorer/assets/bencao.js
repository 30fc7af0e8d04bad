// What the pages do more where scripts run. All of it works without.

// Suggestions while somebody types: a list box in the sense of ARIA.
const box = document.querySelector('input[type="search"]');
if (box) {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'suggest';
  list.setAttribute('role', 'listbox');
  list.hidden = true;
  const label = document.querySelector(`label[for="${box.id}"]`);
  if (label) list.setAttribute('aria-label', label.textContent);
  box.form.append(list);
  for (const [name, value] of [['role', 'combobox'], ['aria-expanded', 'false'], ['aria-controls', list.id], ['aria-autocomplete', 'list']]) {
    box.setAttribute(name, value);
  }
  let asked = 0;
  let at = -1;
  let timer = 0;
  const close = () => {
    list.hidden = true;
    at = -1;
    box.setAttribute('aria-expanded', 'false');
    box.removeAttribute('aria-activedescendant');
  };
  const show = (items) => {
    list.replaceChildren(...items.map((item, i) => {
      const line = document.createElement('li');
      line.id = `suggestion-${i}`;
      line.setAttribute('role', 'option');
      line.setAttribute('aria-selected', 'false');
      const text = document.createElement('span');
      text.textContent = item.text;
      if (/\p{Script=Han}/u.test(item.text)) text.lang = 'zh-Hans';
      line.append(text);
      line.addEventListener('mousedown', (event) => {
        event.preventDefault();
        box.value = item.text;
        box.form.requestSubmit();
      });
      return line;
    }));
    list.hidden = items.length === 0;
    at = -1;
    box.setAttribute('aria-expanded', String(items.length > 0));
  };
  const ask = async () => {
    const q = box.value.trim();
    const turn = ++asked;
    if (!q) return close();
    try {
      const answer = await fetch(`/suggest?q=${encodeURIComponent(q)}`, { headers: { Accept: 'text/html' } });
      if (!answer.ok || turn !== asked) return;
      show((await answer.json()).items);
    } catch {
      close();
    }
  };
  box.addEventListener('input', (event) => {
    clearTimeout(timer);
    if (!event.isComposing) timer = setTimeout(ask, 150);
  });
  box.addEventListener('compositionend', ask);
  box.addEventListener('blur', close);
  box.addEventListener('keydown', (event) => {
    const lines = [...list.children];
    if (event.key === 'Escape') close();
    if (list.hidden || event.isComposing || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
    if (event.key === 'Enter') {
      if (at >= 0) box.value = lines[at].textContent;
      return;
    }
    event.preventDefault();
    at = (at + (event.key === 'ArrowDown' ? 1 : -1) + lines.length) % lines.length;
    lines.forEach((line, i) => line.setAttribute('aria-selected', String(i === at)));
    box.setAttribute('aria-activedescendant', lines[at].id);
  });
}

// A list that is too large is not sent.
const upload = document.querySelector('form[data-most]');
if (upload) {
  const file = upload.querySelector('input[type="file"]');
  file.addEventListener('change', () => {
    const large = file.files[0] && file.files[0].size > Number(upload.dataset.most);
    file.setCustomValidity(large ? upload.dataset.large : '');
    file.reportValidity();
  });
}

// What sums a list up is shown above its rows; so that Tab meets it there too, it
// goes there when the rows have come.
const sum = document.querySelector('.results .sum');
if (sum) sum.parentElement.prepend(sum);

// Tables are sorted by the column whose head is pressed.
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
for (const table of document.querySelectorAll('table.stack:not(.ing)')) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 4) continue;
  [...table.querySelectorAll('thead th')].forEach((head, column) => {
    const text = head.textContent.trim();
    if (!text || head.closest('.vh')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.textContent = text;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...body.rows].sort((a, b) => collator.compare(a.cells[column]?.textContent ?? '', b.cells[column]?.textContent ?? ''));
      body.replaceChildren(...(down ? rows.reverse() : rows));
    });
  });
}
