import{o,s}from"./main-8ykvw0ws.js";var c=200;function re(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{re};
