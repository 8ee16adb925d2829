\set width 3600
-- The console's front page: a day in steps of an hour, and the day before it.
-- $1 to_timestamp((extract(epoch from now())::bigint / :width - 23) * :width)
-- $2 :width
-- $3 to_timestamp((extract(epoch from now())::bigint / :width - 47) * :width)
select case when outcome = 'refused' then 'failures' when action = 'account_created' then 'new_accounts' else 'sign_ins' end,
       floor(extract(epoch from hour - $1) / $2)::integer,
       provider, case when outcome = 'refused' then nullif(reason, '') end, sum(count)::bigint
  from counted_events($3)
 where action in ('sign_in', 'continue_sign_in', 'signed_in', 'account_created', 'first_factor_proved')
   and (outcome = 'done' and action <> 'first_factor_proved' or outcome = 'refused')
 group by 1, 2, 3, 4;
