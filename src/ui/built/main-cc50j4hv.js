import{o,s}from"./main-cek31z4h.js";var c=200;function Q(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{Q};
