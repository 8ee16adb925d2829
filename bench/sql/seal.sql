-- A batch of the sealer: 1,000 events leave the inbox, from `place` on. The digests are zeros: the gateway makes them.
begin;
select pg_try_advisory_xact_lock(hashtextextended('audit chain', 4));
select (max(e.place) over ())::text, e.place::text, e.id, e.at, e.action, e.outcome, e.reason, e.account_id, e.identity_id, e.session_id,
       e.client_id, e.provider, e.address, e.request_id, e.detail::text, e.actor_id, e.words
  from (select i.ctid as place, i.* from audit_inbox i where i.ctid > (:place)::tid limit 1000) e order by e.id;
select case when count(*) < 1000 then '(0,0)' else max(e.place)::text end as next
  from (select i.ctid as place from audit_inbox i where i.ctid > (:place)::tid limit 1000) e \gset
select seal_audit(head.position + cardinality(waiting.ids), 'bench', waiting.places, waiting.ids,
                  decode(repeat('00', 32 * cardinality(waiting.ids)), 'hex'), decode(repeat('00', 32), 'hex'))
  from (select coalesce(max(c.position), (select k.position from audit_checkpoint k)) as position from audit_chain c) head,
       (select array_agg(e.place order by e.id) as places, array_agg(e.id order by e.id) as ids
          from (select i.ctid as place, i.id from audit_inbox i where i.ctid > (:place)::tid limit 1000) e) waiting
 where waiting.ids is not null;
select (:next)::text as place \gset
end;
