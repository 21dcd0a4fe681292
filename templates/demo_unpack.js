// Opens a pack: a script beside this page, which calls `cursus` with what is in it.
function unpack(file, then, fail) {
  window.cursus = function (text) {
    if (!window.DecompressionStream) { fail('old'); return; }
    var bytes = Uint8Array.from(atob(text), function (sign) { return sign.charCodeAt(0); });
    var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    new Response(stream).json().then(then, function () { fail('missing'); });
  };
  var script = document.createElement('script');
  script.onerror = function () { fail('missing'); };
  script.src = file;
  document.head.appendChild(script);
}
// The map after a turn, as an SVG; its parts stand in a pack once for all turns.
function drawn(album, turn) {
  var runs = album.turns[turn], svg = '';
  for (var at = 0; at < runs.length; at += 2) { svg += album.parts.slice(runs[at], runs[at] + runs[at + 1]).join(''); }
  return svg;
}
