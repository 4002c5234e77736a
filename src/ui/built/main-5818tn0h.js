import{_e,e,me}from"./main-jzxjcvmv.js";import{gt}from"./main-7mszcphy.js";import{p}from"./main-2zb6afzb.js";var J=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!_e())return;n.preventDefault(),p(async()=>gt(await me(o)))}});
export{J};
