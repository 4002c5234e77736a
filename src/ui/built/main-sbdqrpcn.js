import{o,s}from"./main-9qyr7v5c.js";var c=200;function se(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{se};
