// Additions to the pages. All pages also work without scripts.

// Suggestions while the user types, as an ARIA listbox.
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
  // A chosen suggestion is searched for among the records of its kind.
  const kind = document.createElement('input');
  kind.type = 'hidden';
  kind.name = 'kind';
  const choose = (line) => {
    box.value = line.dataset.text;
    kind.value = { species: 'species', herb: 'herbs', formula: 'formulas' }[line.dataset.kind] ?? '';
    if (kind.value) box.form.append(kind);
  };
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
    list.replaceChildren(...items.slice(0, 8).map((item, i) => {
      const line = document.createElement('li');
      line.id = `suggestion-${i}`;
      line.setAttribute('role', 'option');
      line.setAttribute('aria-selected', 'false');
      const text = document.createElement('span');
      text.textContent = item.text;
      if (/\p{Script=Han}/u.test(item.text)) text.lang = 'zh-Hans';
      line.dataset.text = item.text;
      line.dataset.kind = item.kind;
      const of = document.createElement('span');
      of.className = 'kind';
      of.textContent = box.form.dataset[item.kind] ?? '';
      line.append(text, ' ', of);
      line.addEventListener('mousedown', (event) => {
        event.preventDefault();
        choose(line);
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
      const version = box.form.elements.version ? `&version=${box.form.elements.version.value}` : '';
      const answer = await fetch(`/suggest?q=${encodeURIComponent(q)}${version}`, { headers: { Accept: 'text/html' } });
      if (!answer.ok || turn !== asked) return;
      show((await answer.json()).items);
    } catch {
      close();
    }
  };
  box.addEventListener('input', (event) => {
    kind.remove();
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
      if (at >= 0) choose(lines[at]);
      return;
    }
    event.preventDefault();
    at = (at + (event.key === 'ArrowDown' ? 1 : -1) + lines.length) % lines.length;
    lines.forEach((line, i) => line.setAttribute('aria-selected', String(i === at)));
    box.setAttribute('aria-activedescendant', lines[at].id);
  });
}

// The form does not send a file that is too large.
const upload = document.querySelector('form[data-most]');
if (upload) {
  const file = upload.querySelector('input[type="file"]');
  file.addEventListener('change', () => {
    const large = file.files[0] && file.files[0].size > Number(upload.dataset.most);
    file.setCustomValidity(large ? upload.dataset.large : '');
    file.reportValidity();
  });
}

// The style sheet shows the summary of a list above its rows. When all rows have arrived, the
// summary is also moved there, so that the Tab key reaches it first.
const sum = document.querySelector('.results .sum');
if (sum) sum.parentElement.prepend(sum);

// A click on the head of a column sorts the table. Cells of a heat map are sorted by their shade.
// The formula with which others are compared stays on top. A table that shows a part of a list (.part)
// has no such heads: sorting the rows that happen to be shown would mislead.
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
const shades = '0xu12345';
const keyOf = (cell) => {
  const shade = /\bk([0-9xu])\b/.exec(cell?.className ?? '');
  return shade ? String(shades.indexOf(shade[1])) : cell?.dataset.v ?? cell?.textContent.trim() ?? '';
};
const narrow = matchMedia('(max-width: 43.99rem)').matches; // most tables show no heads at this width
for (const table of document.querySelectorAll(narrow ? 'table.heat.rows' : 'table.stack:not(.changes, .drugs, .pairs, .part), table.heat.rows')) {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 4) continue;
  [...table.querySelectorAll('thead th')].forEach((head, column) => {
    if (!head.textContent.trim() || head.closest('.vh') || head.querySelector('.vh')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.append(...head.childNodes);
    head.append(button);
    const most = head.matches('.c'); // the first click sorts the largest value first
    button.addEventListener('click', () => {
      const now = head.getAttribute('aria-sort');
      const down = now ? now === 'ascending' : most;
      for (const other of table.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const self = [...body.rows].filter((row) => row.matches('.self'));
      const rows = [...body.rows].filter((row) => !row.matches('.self')).sort((a, b) => collator.compare(keyOf(a.cells[column]), keyOf(b.cells[column])));
      body.replaceChildren(...self, ...(down ? rows.reverse() : rows));
    });
  });
}

// Buttons enlarge a drawing. An enlarged drawing can be moved by dragging or by arrow keys.
for (const figure of document.querySelectorAll('figure[data-in]')) {
  const picture = figure.querySelector('svg[viewBox]');
  if (!picture) continue;
  const whole = picture.getAttribute('viewBox').split(' ').map(Number);
  const most = 4;
  let [x, y, width, height] = whole;
  const show = () => {
    x = Math.min(Math.max(x, 0), whole[2] - width);
    y = Math.min(Math.max(y, 0), whole[3] - height);
    picture.setAttribute('viewBox', [x, y, width, height].map((n) => n.toFixed(2)).join(' '));
    picture.classList.toggle('near', width < whole[2]);
    for (const [button, end] of [[nearer, width <= whole[2] / most], [farther, width >= whole[2]]]) button.setAttribute('aria-disabled', String(end));
  };
  const scale = (by) => {
    const next = Math.min(Math.max(width * by, whole[2] / most), whole[2]);
    const ratio = next / width;
    [x, y] = [x + (width - next) / 2, y + (height * (1 - ratio)) / 2];
    [width, height] = [next, height * ratio];
    show();
  };
  const button = (sign, label, does) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = 'btn btn--2';
    made.textContent = sign;
    made.setAttribute('aria-label', label);
    made.addEventListener('click', does);
    return made;
  };
  const nearer = button('+', figure.dataset.in, () => scale(2 / 3));
  const farther = button('−', figure.dataset.out, () => scale(3 / 2));
  const bar = document.createElement('p');
  bar.className = 'row zoom';
  bar.append(nearer, farther);
  picture.before(bar);
  const move = (dx, dy) => {
    x += dx;
    y += dy;
    show();
  };
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  bar.addEventListener('keydown', (event) => {
    const way = arrows[event.key];
    if (!way || width >= whole[2]) return;
    event.preventDefault();
    move((way[0] * width) / 8, (way[1] * height) / 8);
  });
  let from = null;
  picture.addEventListener('pointerdown', (event) => {
    if (width >= whole[2]) return;
    from = [event.clientX, event.clientY];
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener('pointermove', (event) => {
    if (!from) return;
    const unit = width / picture.clientWidth;
    move((from[0] - event.clientX) * unit, (from[1] - event.clientY) * unit);
    from = [event.clientX, event.clientY];
  });
  for (const end of ['pointerup', 'pointercancel']) picture.addEventListener(end, () => { from = null; });
  show();
}
