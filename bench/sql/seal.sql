-- A batch of the sealer: 1,000 events leave the inbox, from `place` on. The digests are zeros: the gateway makes them.
begin;
select pg_try_advisory_xact_lock(hashtextextended('audit chain', 4));
select coalesce(c.position, k.position), coalesce(c.digest, k.digest)
  from audit_checkpoint k
  left join (select position, digest from audit_chain order by position desc limit 1) c on true;
-- $1 :place
-- $2 1000
select (max(e.place) over ())::text, e.place::text, e.id, e.at, e.action, e.outcome, e.reason, e.account_id, e.identity_id, e.session_id, e.client_id, e.provider, e.address, e.request_id, e.detail, e.actor_id, e.words
  from (select i.ctid as place, i.* from audit_inbox i where i.ctid > $1::text::tid limit $2) e order by e.id;
-- What the gateway reads from those answers.
select count(e.id) as events, head.position + count(e.id) as position,
       array_agg(e.place order by e.id)::text as places, array_agg(e.id order by e.id)::text as ids,
       case when count(e.id) < 1000 then '(0,0)' else max(e.place)::text end as next
  from (select coalesce(max(c.position), (select k.position from audit_checkpoint k)) as position from audit_chain c) head
  left join (select i.ctid as place, i.id from audit_inbox i where i.ctid > (:place)::text::tid limit 1000) e on true
 group by head.position \gset
\if :events > 0
-- $1 :position
-- $2 'bench'
-- $3 :places
-- $4 :ids
-- $5 decode(repeat('00', 32 * :events), 'hex')
-- $6 decode(repeat('00', 32), 'hex')
select seal_audit($1, $2, $3::text[]::tid[], $4,
                  $5, $6);
\endif
select (:next)::text as place \gset
end;
