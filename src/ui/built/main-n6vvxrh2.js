import{ke,e,me}from"./main-kj86bqkk.js";import{gt}from"./main-7mszcphy.js";import{p}from"./main-s6s4mdj3.js";var Q=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!ke())return;n.preventDefault(),p(async()=>gt(await me(o)))}});
export{Q};
